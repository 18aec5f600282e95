import type { Version } from './operations';
import { walk } from './steps';

/** A version and when the server changed it last. */
export interface Stamped {
  updated: string;
  version: Version;
}

const shapeOf = (version: Version): string => JSON.stringify([
  version.displayName,
  version.notes.map((note) => note.id),
  walk(version.trigger).map(({ step, place }) => [step.name, step.displayName, step.skip ?? false, place ?? null, step.settings.branches ?? 0, step.settings.input ?? 0]),
]);

/**
 * Whether an operation without a known outcome was applied.
 *
 * @param before as the server had it before the operation
 * @param expected as it is with the operation
 * @param now as the server has it after it
 */
export function outcomeOf(before: Stamped, expected: Version, now: Stamped): 'absent' | 'applied' | 'unclear' {
  if (now.updated === before.updated) {
    return 'absent';
  }
  return shapeOf(now.version) === shapeOf(expected) ? 'applied' : 'unclear';
}
