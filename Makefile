# Every target sets up what it needs, given Python 3.11 or newer with its headers and venv, make and a C++20 compiler.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Versions of everything installed into $(VENV). Without a file, the newest ones are installed.
CONSTRAINTS := constraints.txt
EXTRAS := dev
CORE_SOURCES := $(shell find native -name '*.cpp' -o -name '*.hpp') CMakeLists.txt pyproject.toml
CXX_FILES := $(shell find native tests/native -name '*.cpp' -o -name '*.hpp')

# All tests that reach the compiled core.
KERNEL_TESTS := tests/kernels tests/text tests/metrics tests/contract tests/stats tests/resources tests/hostile/test_threads.py

.PHONY: demo test coverage core-coverage quick lowest newest browser lint bench fuzz sanitize races docs site wheel clean
.DEFAULT_GOAL := demo

$(BIN)/python:
	@tools/check_prerequisites.sh $(PYTHON)
	@echo "making a virtual environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade $(addprefix -c ,$(CONSTRAINTS)) pip

INSTALL = $(BIN)/python -m pip install --quiet $(foreach file,$(CONSTRAINTS),-c $(file) --build-constraint $(file))

# What a user gets: the package, built from this checkout, and what draws the report page.
$(VENV)/.installed: $(BIN)/python $(CORE_SOURCES) $(CONSTRAINTS)
	@echo "compiling the core and installing Tertium (about a minute)"
	@$(INSTALL) --editable '.[report]'
	@touch $@

# What a contributor gets: strict warnings, every extra, the test tools.
$(VENV)/.developed: $(BIN)/python $(CORE_SOURCES) $(CONSTRAINTS)
	@echo "compiling the core with strict warnings, installing every extra and the test tools (a few minutes)"
	@$(INSTALL) --editable '.[$(EXTRAS)]' --config-settings=cmake.define.TERTIUM_STRICT=ON
	@touch $@ $(VENV)/.installed

demo: $(VENV)/.installed
	@examples/demo.sh $(BIN)/tertium

test: lint browser
	$(BIN)/python -m pytest -q -n auto

# The unit tests alone: no browser, no killed processes, nothing marked as slow.
quick: $(VENV)/.developed
	$(BIN)/python -m pytest -q -n auto -m 'not slow and not browser and not hostile'

# The quick tests with the lowest versions that pyproject.toml allows, and with the newest versions there are. The lowest
# ones need Python 3.11 or 3.12, for which numpy 1.26 has wheels; spaCy stays out, because it needs numpy 2.
lowest: build/lowest.txt
	@rm -rf .venv-lowest
	@$(MAKE) quick VENV=.venv-lowest EXTRAS=cluster,contextual,meta,onnx,parquet,report,sacrebleu,train,xml,test CONSTRAINTS=build/lowest.txt

newest:
	@rm -rf .venv-newest
	@$(MAKE) quick VENV=.venv-newest EXTRAS=all,test CONSTRAINTS=

build/lowest.txt: pyproject.toml tools/lowest_versions.py
	@tools/check_prerequisites.sh $(PYTHON)
	@mkdir -p build
	@$(PYTHON) tools/lowest_versions.py >$@

# Debian's Chromium for the tests of the report page, where apt and the right to use it are there; else they skip.
browser:
	@if [ -x /usr/bin/chromium ]; then :; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get install --quiet --yes --no-install-recommends chromium \
	    || echo "chromium could not be installed: the tests of the report page will be skipped"; \
	else echo "no /usr/bin/chromium, and no right to install it: the tests of the report page will be skipped"; fi

lint: $(VENV)/.developed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(CXX_FILES)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/check_wording.py

# The share of lines and branches of each package that the tests reach, and the lines that they do not (about half an hour).
coverage: $(VENV)/.developed
	$(BIN)/python -m pytest -q -n auto --cov --cov-report=json:build/coverage.json -m 'not browser'
	$(MAKE) -C . core-coverage
	$(BIN)/python tools/report_coverage.py build/coverage.json

# The lines of the core that the tests of the kernels execute: an unoptimised core in a venv that borrows the packages of
# $(VENV). Without --ignore-installed, pip would remove the one there.
core-coverage: $(VENV)/.developed
	$(BIN)/python -m venv --without-pip .venv-coverage
	$(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))" \
	  >"$$(.venv-coverage/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/borrowed.pth"
	.venv-coverage/bin/python -m pip install --quiet --no-deps --ignore-installed -c constraints.txt --build-constraint constraints.txt . \
	  --config-settings=cmake.define.TERTIUM_COVERAGE=ON --config-settings=build-dir=build/core-coverage --config-settings=install.strip=false
	find build/core-coverage -name '*.gcda' -delete
	.venv-coverage/bin/python -m pytest -q -n auto $(KERNEL_TESTS)

# Time limits, then speeds beside those of other tools. DATA=folder takes the unpacked WMT data instead of the bundled text.
bench: $(VENV)/.developed
	$(BIN)/python -m pip install --quiet -r benchmarks/requirements.txt
	$(BIN)/python -m pytest -q benchmarks/test_time_limits.py benchmarks/test_growth.py
	$(BIN)/python benchmarks/run.py $(if $(DATA),--data $(DATA)) $(if $(PAGE),--page $(PAGE))

# Every property test with fresh examples for so many minutes, 2,000 hostile commands and calls, and 50 killed runs. What
# fails is kept in .hypothesis/ and tried first by the next `make fuzz`; `make test` always tries the same examples.
MINUTES ?= 10
fuzz: $(VENV)/.developed
	$(BIN)/python tools/run_fuzzers.py --minutes $(MINUTES)

# The tests of every kernel under the address and undefined-behaviour sanitizers, in a venv of their own. They end the
# process at the first finding, so what they say must not be captured. Every allocation fails once, in a library that is
# preloaded before the sanitizer's own.
sanitize:
	$(MAKE) -C . VENV=.venv-sanitize .venv-sanitize/bin/python
	.venv-sanitize/bin/python -m pip install --quiet -c constraints.txt --build-constraint constraints.txt '.[dev]' --config-settings=cmake.define.TERTIUM_SANITIZE=ON \
	  --config-settings=build-dir=build/sanitize --config-settings=install.strip=false
	TERTIUM_ALL_ALLOCATIONS=1 ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so)" \
	  .venv-sanitize/bin/python -m pytest -q -n auto --capture=sys $(KERNEL_TESTS)

# Races between threads that call kernels at once; a small program, for Python itself is not built for this sanitizer.
races:
	mkdir -p build
	$(CXX) -std=c++20 -O1 -g -fsanitize=thread -Inative/include tests/native/threads.cpp -o build/races -pthread
	build/races

# The pages of all metrics and commands, from the code.
docs: $(VENV)/.developed
	$(BIN)/python tools/make_metric_docs.py
	$(BIN)/python tools/make_stub.py
	$(BIN)/python tools/make_command_docs.py
	$(BIN)/python tools/make_api_docs.py
	$(BIN)/python tools/make_which_metric.py

# The documentation as a site in build/site, which loads nothing from elsewhere.
site: docs
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -d build/site-cache docs build/site
	@echo "the site is in build/site/index.html"

# A source distribution, a wheel built from it, and proof that the wheel works where no compiler is: it goes into an
# empty environment, and the smoke test and the demo run with nothing on the path but a few plain tools.
WHEEL := build/wheel
PLAIN_TOOLS := bash basename cat dirname env mkdir
wheel:
	@tools/check_prerequisites.sh $(PYTHON)
	@rm -rf $(WHEEL) dist && mkdir -p $(WHEEL)/bin
	@echo "building a source distribution, and a wheel from it (about two minutes)"
	@$(PYTHON) -m venv $(WHEEL)/tools
	@$(WHEEL)/tools/bin/python -m pip install --quiet build
	@$(WHEEL)/tools/bin/python -m build --outdir dist . >$(WHEEL)/build.log || { tail -n 30 $(WHEEL)/build.log; exit 1; }
	@ls -lh dist
	@echo "installing the wheel into an empty environment, without a compiler"
	@$(PYTHON) -m venv $(WHEEL)/trial
	@for tool in $(PLAIN_TOOLS); do ln -s "$$(command -v $$tool)" $(WHEEL)/bin/; done
	@PATH=$(CURDIR)/$(WHEEL)/bin $(WHEEL)/trial/bin/python -m pip install --quiet --only-binary :all: "$$(echo dist/*.whl)"
	@echo "running the smoke test and the demo from it"
	@PATH=$(CURDIR)/$(WHEEL)/bin $(WHEEL)/trial/bin/python tools/smoke_test.py --no-compiler
	@PATH=$(CURDIR)/$(WHEEL)/bin examples/demo.sh $(WHEEL)/trial/bin/tertium $(CURDIR)/$(WHEEL)/report.html >$(WHEEL)/demo.txt
	@echo "both work; the demo's output is in $(WHEEL)/demo.txt"

clean:
	rm -rf .venv .venv-coverage .venv-sanitize .venv-lowest .venv-newest build dist
