using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    (name = "objects", disk = (path = "@OBJECTS@", writable = true)),
  ],
  sockets = [(name = "worker", address = "127.0.0.1:@PORT@", http = (), service = "worker")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "shim.mjs", esModule = embed "shim.mjs"),
    (name = "index.js", esModule = embed "index.js"),
  ],
  compatibilityDate = "2026-11-01",
  bindings = [(name = "REGION", durableObjectNamespace = "Region")],
  durableObjectNamespaces = [(className = "Region", uniqueKey = "trap", enableSql = true)],
  durableObjectStorage = (localDisk = "objects"),
);
