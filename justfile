# Build everything and learn from two sample sessions.
demo:
    cargo xtask demo

# Everything CI runs.
test:
    cargo xtask test

# Measure: `just bench sandbox`.
bench name:
    cargo xtask bench {{name}}
