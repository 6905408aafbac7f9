# Sourced by the other scripts: puts nvcc on the path where CUDA is installed in its usual place.
if ! command -v nvcc >/dev/null && [ -x /usr/local/cuda/bin/nvcc ]; then export PATH="$PATH:/usr/local/cuda/bin"; fi
has_nvcc() { command -v nvcc >/dev/null; }
has_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi --list-gpus 2>/dev/null | grep -q '^GPU'; }
# The preset that builds everything this machine can compile. Without a GPU nothing runs the GPU code, so it is compiled the fast way, in a
# build folder of its own.
full_preset() {
  if ! has_nvcc; then echo cpu
  elif ! has_gpu && nvcc --help | grep -- --Ofast-compile >/dev/null; then echo gpu-compile
  else echo gpu; fi
}
