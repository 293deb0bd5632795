/** Waits for a time, or for a promise with a time limit. */

export function sleep(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** Returns the value of a promise, or undefined if it fails or takes longer than `ms`. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), ms);
  });
  const value = await Promise.race([promise.catch(() => undefined), timeout]);
  clearTimeout(timer);
  return value;
}
