# The public symbols of the products, for Scripts/docs and Scripts/check-api. Needs a finished debug build with all traits.
import glob, json, os, shutil, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What users import, and the module that has its symbols.
MODULES = {
    "OpenCoreData": "CoreDataEngine", "OpenCoreDataKit": "OpenCoreDataKit", "OpenCoreDataMacros": "OpenCoreDataMacros",
    "CoreDataMonk": "CoreDataMonk", "THRCoreData": "THRCoreData", "CoreDataCandy": "CoreDataCandy",
    "BNRCoreDataStack": "BNRCoreDataStack", "Sticky": "Sticky", "OpenCoreDataTesting": "OpenCoreDataTesting",
    "OpenCoreDataInspector": "OpenCoreDataInspector", "OpenCoreDataServer": "OpenCoreDataServer",
    "OpenCoreDataTelemetry": "OpenCoreDataTelemetry",
    "OpenCoreDataPostgreSQL": "OpenCoreDataPostgreSQL", "SwiftData": "SwiftData",
}

def run(*command, **options):
    return subprocess.run(command, cwd=ROOT, text=True, **options)

def output(*command):
    return run(*command, check=True, stdout=subprocess.PIPE).stdout.strip()

class Build:
    """The finished debug build."""
    def __init__(self, name):
        self.products = output("swift", "build", "--show-bin-path", *output("Scripts/traits").split())
        if not os.path.exists(os.path.join(self.products, "Modules", "CoreDataEngine.swiftmodule")):
            sys.exit(f"{name}: there is no finished build: run Scripts/test first")
        self.triple = json.loads(output("swift", "-print-target-info"))["target"]["triple"]

    def extract(self, module, folder, *options):
        """Writes the symbol graphs of a module, and gives them by the names of their files."""
        os.makedirs(folder, exist_ok=True)
        # C modules have a map of their own, or else one that the build made.
        headers = sorted(glob.glob(os.path.join(ROOT, ".build/checkouts/*/Sources/*/include/module.modulemap")))
        maps = sorted(glob.glob(f"{self.products}/*.build/module.modulemap")) + headers + [
            "Sources/CSQLite/module.modulemap", "Sources/CPostgreSQL/module.modulemap"]
        flags = [flag for path in maps if os.path.exists(os.path.join(ROOT, path))
                 for flag in ("-Xcc", f"-fmodule-map-file={path}")]
        flags += [flag for path in headers for flag in ("-Xcc", f"-I{os.path.dirname(path)}")]
        if shutil.which("pkg-config"):
            libpq = run("pkg-config", "--cflags-only-I", "libpq", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
            flags += [flag for path in libpq.split() for flag in ("-Xcc", path)]
        run("swift", "symbolgraph-extract", "-module-name", module, "-I", f"{self.products}/Modules", *flags, "-Xcc",
            "-ISources/EngineShims/include", "-target", self.triple, "-minimum-access-level", "public", *options,
            "-output-dir", folder, check=True)
        graphs = {}
        for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
            with open(path, encoding="utf-8") as file: graphs[os.path.basename(path)] = json.load(file)
        return graphs
