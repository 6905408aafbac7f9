// A user's first scan. Nothing but <lookback/...> and the target lookback::lookback is needed.
#include <cstdio>
#include <lookback/cpu.hpp>
#include <lookback/scan.hpp>
#include <vector>

int main() {
  std::vector<int> const in{3, 1, 4, 1, 5};
  std::vector<int> out(in.size());
  lookback::inclusive_scan(lookback::cpu::on(2), in, out);
  for (int x : out) std::printf("%d ", x);
  std::printf("\n");
  return out.back() == 14 ? 0 : 1;
}
