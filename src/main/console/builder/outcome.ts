import type { Version } from './operations';
import { walk } from './steps';

export interface Stamped {
  updated: string;
  version: Version;
}

const shapeOf = (version: Version): string =>
  JSON.stringify([
    version.displayName,
    version.notes.map((note) => note.id),
    walk(version.trigger).map(({ step, place }) => [
      step.name,
      step.displayName,
      step.skip ?? false,
      place ?? null,
      step.settings.branches ?? 0,
      step.settings.input ?? 0,
    ]),
  ]);

/**
 * Decides whether an operation without a known outcome was applied.
 *
 * @param before version at the server before the operation
 * @param expected version with the operation
 * @param now version at the server now
 */
export function outcomeOf(before: Stamped, expected: Version, now: Stamped): 'absent' | 'applied' | 'unclear' {
  if (now.updated === before.updated) {
    return 'absent';
  }
  return shapeOf(now.version) === shapeOf(expected) ? 'applied' : 'unclear';
}
