"""The games: one package each, the same files in every one, each knowing only the kernel and itself."""
