# The two commands: `make demo` filters a real clip, `make test` runs every test. Both install missing packages.
# `make build`, and then `make install`, put the program, its manual and completions under PREFIX, below DESTDIR if that is set.
.PHONY: demo test test-outputs test-page test-python wheel build assets install

PREFIX ?= /usr/local
# What is installed, for those who build it themselves.
PROGRAM ?= target/release/warpreel
# What the tests build, with the Python module: built for itself, it would ask other features of what it shares with the program, and
# all of that would be built twice.
BUILT = --locked --workspace --exclude warpreel-vapoursynth

build:
	@scripts/install build
	cargo build --locked --release

demo:
	@scripts/install demo
	@scripts/demo

# x264 reads memory that it has not written, so its output depends on what a process did before; memory that is filled when it is
# given makes it one and the same.
test: export MALLOC_PERTURB_ = 85
test:
	@scripts/install test
	WARPREEL_NVRTC="$$(ls target/python/lib/python*/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12)" \
		REQUIRE_NVRTC=1 REQUIRE_REFERENCES=1 cargo test $(BUILT)
	cargo test --locked --package warpreel-frame --features image,ndarray
	@scripts/test-outputs
	@scripts/lint-page
	@$(MAKE) --no-print-directory --jobs 2 page-log python-log

# Tests of the page and of the Python module wait half of their time: side by side they take as long as the page alone.
%-log:
	@scripts/test-$* >target/$*.log 2>&1; status=$$?; cat target/$*.log; exit $$status

# The page of `warpreel preview` alone, in Chromium and Firefox.
test-page:
	@scripts/install test
	cargo build $(BUILT)
	@scripts/lint-page
	@scripts/test-page

# A sample of all encoders and containers, compared as players show them; scripts/test-outputs --all tries them in full.
test-outputs:
	@scripts/install test
	cargo build $(BUILT)
	@scripts/test-outputs

# The Python module alone: its wheel is built as the tests are, installed into a clean environment, and tested there.
test-python:
	@scripts/test-python

# The Python module for other machines, in dist.
wheel:
	@scripts/wheel

# The manual and the completions, which the program prints itself.
assets:
	scripts/assets $(PROGRAM) target/assets

install: assets
	scripts/place $(PROGRAM) target/assets "$(DESTDIR)$(PREFIX)"
