"""Builds the library, and puts it where VapourSynth looks for plugins: a hook of hatchling.

The variable WARPREEL_PROFILE names the profile of cargo, `release` unless it is set.
"""

import json
import os
import pathlib
import subprocess
import sysconfig

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LIBRARY = "libwarpreel_vapoursynth.so"
PLUGINS = "vapoursynth/plugins/warpreel"


class BuildHook(BuildHookInterface):
    """The library and its manifest, for the system that they are built on."""

    def initialize(self, version, build_data):
        profile = os.environ.get("WARPREEL_PROFILE", "release")
        cargo = lambda *arguments: ["cargo", *arguments, "--locked", "--manifest-path", os.path.join(self.root, "Cargo.toml")]
        subprocess.run(cargo("build", "--package", "warpreel-vapoursynth", "--profile", profile), check=True)
        found = subprocess.run(cargo("metadata", "--no-deps", "--format-version", "1"), stdout=subprocess.PIPE, check=True)
        target = pathlib.Path(json.loads(found.stdout)["target_directory"])
        staged = target / "plugin"
        staged.mkdir(exist_ok=True)
        built = target / ("debug" if profile == "dev" else profile) / LIBRARY
        subprocess.run(["strip", "-o", staged / LIBRARY, built], check=True)
        # The manifest keeps VapourSynth from trying each file of the folder as a plugin.
        manifest = staged / "manifest.vs"
        manifest.write_text(f"[VapourSynth Manifest V1]\n{LIBRARY.removesuffix('.so')}\n")
        for path in (staged / LIBRARY, manifest):
            build_data["force_include"][str(path)] = f"{PLUGINS}/{path.name}"
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
