/**
 * What must not outlive this process: acts done when it ends, by an exit or by a signal that nobody else listens to.
 *
 * A signal without a listener ends Node at once, without its exit listeners; what was started here would live on. Where
 * somebody else listens, the signal is theirs.
 */
type Act = () => void;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const acts = new Set<Act>();

/** Does `act` once when this process ends; the function that is given back takes that back. */
export function whenWeEnd(act: Act): () => void {
  // Every act is one of its own, also where the same function is given twice.
  const own: Act = () => act();
  if (acts.size === 0) listen();
  acts.add(own);
  return () => {
    if (acts.delete(own) && acts.size === 0) forget();
  };
}

function listen(): void {
  process.on("exit", doAll);
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

function forget(): void {
  process.removeListener("exit", doAll);
  for (const signal of SIGNALS) process.removeListener(signal, onSignal);
}

function doAll(): void {
  for (const act of acts) act();
  acts.clear();
}

function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  doAll();
  forget();
  process.kill(process.pid, signal);
}
