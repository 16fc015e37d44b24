# demo: the story with real processes, its report in demo-report/; setup: install what is missing; test: all tests in debug
# and release; lint: format, floors, public API and warnings; bench: times and costs beside what is asked of them;
# soak: whether memory, descriptors or threads grow; calls over networks that are cut for up to a minute.
.PHONY: demo setup test lint docs sanitize bench soak clean

demo: setup
	swift build -c release --product greenroom
	.build/release/greenroom demo

setup:
	scripts/setup
	scripts/fetch-media

# In debug and in release, with the demo between them, and beside the latter what browsers post fuzzed for 60 s, and every
# parser for 5 s.
test: setup
	scripts/test 60

lint: setup
	swift format lint --strict --recursive Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources
	scripts/check-floors
	scripts/check-engine-api
	GREENROOM_WERROR=1 swift build --scratch-path .build-lint
	scripts/check-api .build-lint/debug
	swift build -c release --package-path Benchmarks --scratch-path .build-bench

# What MediaEngine, CallAPI and Signaling make public, as DocC archives in docs-build/.
docs: setup
	scripts/build-docs

# The engine's API, called from everywhere at once, under the thread sanitizer.
sanitize: setup
	scripts/sanitize

# BENCH="--strict JoinTimes" and the like.
bench: setup
	-scripts/setup apt-packages-bench.txt
	scripts/bench $(BENCH)

# MINUTES=60 and the like.
soak: setup
	scripts/soak $(MINUTES)
	GREENROOM_TESTS=ToolTests CALL_CUTS=3,15,60 swift test --filter NetworkCutTests

clean:
	rm -rf .build .build-release .build-lint .build-bench .build-fuzz .build-pion .build-tsan .build-c docs-build
