# Serves the worker on this machine: the demo and the end-to-end tests. Not for production (private hosts and
# plain http are allowed here); wrangler.toml is.
#
# A template. It lies in the folder that shim.mjs describes, beside index.js, index_bg.wasm, snippets/, bare.mjs and
# a targets.json (the JSON array of the TARGETS binding). Whoever starts workerd copies it with these replaced:
#
#   @PORT@           where the worker listens on 127.0.0.1
#   @BARE_PORT@      where bare.mjs listens, the loop that the worker's numbers are compared with
#   @REGIONS@        location hints, e.g. weur,enam,apac
#   @COLLECTOR_URL@  e.g. http://127.0.0.1:7070
#   @KEY_ID@         the key id that worker and collector share
#   @INTERVAL_S@     seconds between scheduled probes; 0: none
#   @SCHEDULE@       ids of the scheduled targets, separated by commas; may be empty
#   @OBJECTS@        an existing folder for the objects' storage (in memory, alarms crash workerd)
#   @SNIPPETS@       one line for each file F below snippets/:  (name = "F", esModule = embed "F"),
#   @KEYS@           one line for each target's key_env K:  (name = "KEY_K", fromEnvironment = "K"),
#
# Secrets come from workerd's environment and are in no file: STREAMLAG_EDGE_SECRET and the K of @KEYS@ (an
# unset one is a null binding: the worker then says which secret is missing).
#
#   workerd serve --verbose config.capnp      (without --verbose, what the worker logs is not shown)
#
# The binary is npm's @cloudflare/workerd-<platform>/bin/workerd; the one in node_modules/.bin is a script that starts
# it, and ending the script leaves it running. SIGTERM waits for calls that still run.
# It is ready when GET http://127.0.0.1:@PORT@/healthz answers 200; 503 says which binding is wrong.

using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    (name = "bare", worker = .bare),
    (name = "objects", disk = (path = "@OBJECTS@", writable = true)),
    (name = "internet", network = (
      allow = ["public", "private"],
      tlsOptions = (trustBrowserCas = true),
    )),
  ],
  sockets = [
    (name = "worker", address = "127.0.0.1:@PORT@", http = (), service = "worker"),
    (name = "bare", address = "127.0.0.1:@BARE_PORT@", http = (), service = "bare"),
  ],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "shim.mjs", esModule = embed "shim.mjs"),
    (name = "index.js", esModule = embed "index.js"),
    (name = "index_bg.wasm", wasm = embed "index_bg.wasm"),
    @SNIPPETS@
  ],
  compatibilityDate = "2026-11-01",
  bindings = [
    (name = "REGION", durableObjectNamespace = "Region"),
    (name = "TARGETS", text = embed "targets.json"),
    (name = "REGIONS", text = "@REGIONS@"),
    (name = "COLLECTOR_URL", text = "@COLLECTOR_URL@"),
    (name = "EDGE_KEY_ID", text = "@KEY_ID@"),
    (name = "EDGE_SECRET", fromEnvironment = "STREAMLAG_EDGE_SECRET"),
    (name = "INTERVAL_S", text = "@INTERVAL_S@"),
    (name = "SCHEDULE_TARGETS", text = "@SCHEDULE@"),
    (name = "ALLOW_PRIVATE", text = "1"),
    @KEYS@
  ],
  durableObjectNamespaces = [
    (className = "Region", uniqueKey = "streamlag-region", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "objects"),
);

const bare :Workerd.Worker = (
  modules = [(name = "bare.mjs", esModule = embed "bare.mjs")],
  compatibilityDate = "2026-11-01",
  bindings = [(name = "BARE", durableObjectNamespace = "Bare")],
  durableObjectNamespaces = [
    (className = "Bare", uniqueKey = "streamlag-bare", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "objects"),
);
