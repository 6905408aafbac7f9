// Calls the unit for any machine; with an argument that for x86-64-v4.
#include <lookback/error.hpp>
#include <vector>

void scan_baseline(std::vector<float>&);
void scan_v4(std::vector<float>&);

int main(int count, char**) {
  std::vector<float> v(1000, 1);
  if (count > 1) scan_v4(v);
  else scan_baseline(v);
  return v[999] == 1000 ? 0 : 1;
}
