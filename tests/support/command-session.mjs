/**
 * The child process of `CommandSession`: runs the bundled command repeatedly in one process.
 *
 * The command runs when its entry is imported, so each run imports it with a different query. Its chunks load once.
 */
let runs = 0;

/** Replaces a stream's `write` and returns a function that restores it and returns the captured text. */
function capture(stream) {
  const { write } = stream;
  let text = "";
  stream.write = (chunk, encoding, callback) => {
    text += chunk;
    const done = typeof encoding === "function" ? encoding : callback;
    if (done !== undefined) queueMicrotask(done);
    return true;
  };
  return () => {
    stream.write = write;
    return text;
  };
}

// Every run adds a listener.
process.stdout.setMaxListeners(0);

/** Sets environment variables (null removes one), and returns a function that restores the previous ones. */
function setEnvironment(variables) {
  const before = Object.keys(variables).map((name) => [name, process.env[name] ?? null]);
  for (const [name, value] of Object.entries(variables)) {
    if (value === null) delete process.env[name];
    else process.env[name] = value;
  }
  return () => before.length > 0 && setEnvironment(Object.fromEntries(before));
}

process.on("message", async ({ main, args, cwd, env }) => {
  process.chdir(cwd);
  process.argv = [process.execPath, main, ...args];
  process.exitCode = 0;
  const restoreEnvironment = setEnvironment(env);
  const [out, err] = [capture(process.stdout), capture(process.stderr)];
  await import(`${main}?run=${(runs += 1)}`);
  restoreEnvironment();
  process.send({ code: process.exitCode, signal: null, out: out(), err: err() });
});

// The test worker has ended.
process.on("disconnect", () => process.exit());
