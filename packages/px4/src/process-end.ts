/**
 * Runs cleanup functions when this process ends, by an exit or by a signal that nothing else handles.
 *
 * A signal without a listener ends Node immediately, without its exit listeners, so processes started here would keep
 * running. If other code listens to the signal, we leave the signal to that code.
 */
type Act = () => void;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const acts = new Set<Act>();

/** Runs `act` once when this process ends. Returns a function that cancels this. */
export function onProcessEnd(act: Act): () => void {
  // Wrap it, so that registering the same function twice adds two entries.
  const own: Act = () => act();
  if (acts.size === 0) listen();
  acts.add(own);
  return () => {
    if (acts.delete(own) && acts.size === 0) stopListening();
  };
}

function listen(): void {
  process.on("exit", runAll);
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

function stopListening(): void {
  process.removeListener("exit", runAll);
  for (const signal of SIGNALS) process.removeListener(signal, onSignal);
}

function runAll(): void {
  for (const act of acts) act();
  acts.clear();
}

function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  runAll();
  stopListening();
  process.kill(process.pid, signal);
}
