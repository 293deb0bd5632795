#!/bin/bash
# Joins and judges the parts. Submit with: sbatch --dependency=afterany:<array job> slurm-merge.sh
#SBATCH --job-name=gusts-merge
#SBATCH --time=00:10:00
set -euo pipefail

npx escapement campaign merge part-* -o gusts
