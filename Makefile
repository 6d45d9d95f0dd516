# The two commands: `make demo` filters a real clip, `make test` runs every test. Both install what is missing.
.PHONY: demo test build

build:
	@scripts/install build
	cargo build --locked --release

demo:
	@scripts/install demo
	cargo build --locked --release
	@scripts/demo

test:
	@scripts/install test
	WARPREEL_NVRTC="$$(ls target/python/lib/python*/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12)" \
		REQUIRE_NVRTC=1 REQUIRE_REFERENCES=1 cargo test --locked
