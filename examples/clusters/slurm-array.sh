#!/bin/bash
# Each task of the array flies one part of the campaign. Submit with: sbatch slurm-array.sh
#SBATCH --job-name=gusts
#SBATCH --array=1-100
#SBATCH --cpus-per-task=4
#SBATCH --mem=1G
#SBATCH --time=01:00:00
# A task that is killed is started again, and continues from its journal.
#SBATCH --requeue
set -euo pipefail

npx escapement campaign gusts.campaign.toml --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_MAX" -o "part-$SLURM_ARRAY_TASK_ID" --jobs "$SLURM_CPUS_PER_TASK" --exit flown
