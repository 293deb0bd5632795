/** Reads the changelog: a changed result is written only if the changelog explains it. */

/** Returns whether the Unreleased part of the changelog has an entry under *Behaviour*. */
export function hasBehaviourEntry(changelog: string): boolean {
  const unreleased = /## Unreleased\n([\s\S]*?)(?=\n## |$)/.exec(changelog)?.[1] ?? "";
  return /### Behaviour\n+- /.test(unreleased);
}
