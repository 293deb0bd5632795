/** Waiting for a time, and for something that may never happen. */

export function sleep(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** The value of a promise, or undefined if it takes longer than this or fails: the caller ends anyway. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), ms);
  });
  const value = await Promise.race([promise.catch(() => undefined), late]);
  clearTimeout(timer);
  return value;
}
