# Sourced by the other scripts: puts nvcc on the path where CUDA is installed in its usual place.
if ! command -v nvcc >/dev/null && [ -x /usr/local/cuda/bin/nvcc ]; then export PATH="$PATH:/usr/local/cuda/bin"; fi
has_nvcc() { command -v nvcc >/dev/null; }
has_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi --list-gpus 2>/dev/null | grep -q '^GPU'; }
