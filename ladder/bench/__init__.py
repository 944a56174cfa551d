"""What `kumite bench` measures. Machines are noisy and differ, so every figure comes with a ratio from the same run."""
