/**
 * The child of a `CommandSession`: runs the bundled command again and again in one process.
 *
 * The command's entry runs when it is imported, so each run imports it under another query. Its chunks are loaded once.
 */
const [, , main] = process.argv;
let runs = 0;

/** Replaces a stream's `write` and returns a function that restores it and gives the captured text. */
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
  const [out, complaint] = [capture(process.stdout), capture(process.stderr)];
  await import(`${main}?run=${(runs += 1)}`);
  process.send({ code: process.exitCode, signal: null, out: out(), complaint: complaint() });
});
