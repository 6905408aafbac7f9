# Sourced by the other scripts: puts nvcc on the path where CUDA is installed in its usual place.
if ! command -v nvcc >/dev/null && [ -x /usr/local/cuda/bin/nvcc ]; then export PATH="$PATH:/usr/local/cuda/bin"; fi
has_nvcc() { command -v nvcc >/dev/null; }
has_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi --list-gpus 2>/dev/null | grep -q '^GPU'; }
# In the check of a change (.ci/run) without a GPU the program's code for it is compiled, and no more; anywhere else it may be meant for
# another machine.
program_check() { if [ "${LOOKBACK_CHECK:-}" = true ] && has_nvcc && ! has_gpu; then echo ON; else echo OFF; fi; }
