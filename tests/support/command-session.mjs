/**
 * The child process of a `CommandSession`: runs the bundled command repeatedly in one process.
 *
 * The command runs when its entry is imported, so each run imports it with a different query. Its chunks load once.
 */
const [, , main] = process.argv;
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

process.on("message", async ({ args, cwd }) => {
  process.chdir(cwd);
  process.argv = [process.execPath, main, ...args];
  process.exitCode = 0;
  const [out, err] = [capture(process.stdout), capture(process.stderr)];
  await import(`${main}?run=${(runs += 1)}`);
  process.send({ code: process.exitCode, signal: null, out: out(), err: err() });
});
