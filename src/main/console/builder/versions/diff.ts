import { walk, type Step } from '../steps';

/** Difference between two versions, in step order. */
export interface Change {
  kind: 'added' | 'removed' | 'changed' | 'moved';
  name: string;
  displayName: string;
  /** Changed values with their paths. */
  parts: Array<{ path: string; before: string; after: string }>;
}

const LETTERS_MAX = 160;
const IGNORED = new Set(['sampleData', 'lastUpdatedDate', 'propertySettings']);

const written = (value: unknown): string => {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return text.length > LETTERS_MAX ? text.slice(0, LETTERS_MAX) + '…' : text;
};

function compare(before: unknown, after: unknown, path: string, parts: Change['parts']): void {
  if (JSON.stringify(before) === JSON.stringify(after)) {
    return;
  }
  const both = [before, after].every((value) => value !== null && typeof value === 'object' && !Array.isArray(value));
  if (both) {
    const [left, right] = [before as Record<string, unknown>, after as Record<string, unknown>];
    new Set([...Object.keys(left), ...Object.keys(right)]).forEach((key) => {
      if (!IGNORED.has(key)) {
        compare(left[key], right[key], path === '' ? key : `${path} › ${key}`, parts);
      }
    });
  } else {
    parts.push({ path, before: written(before), after: written(after) });
  }
}

/** Changes of each step between two versions. */
export function changesOf(before: Step, after: Step): Change[] {
  const left = new Map(walk(before).map((visited) => [visited.step.name, visited]));
  const right = walk(after);
  const names = new Set(right.map((visited) => visited.step.name));
  const changes: Change[] = right.flatMap(({ step, place }): Change[] => {
    const old = left.get(step.name);
    const named = { name: step.name, displayName: step.displayName };
    if (!old) {
      return [{ kind: 'added', ...named, parts: [] }];
    }
    const parts: Change['parts'] = [];
    compare({ name: old.step.displayName, type: old.step.type, skip: old.step.skip ?? false, ...old.step.settings },
      { name: step.displayName, type: step.type, skip: step.skip ?? false, ...step.settings }, '', parts);
    const parentStays = place !== undefined && left.has(place.parent) && names.has(old.place?.parent ?? '');
    const moved = parentStays && JSON.stringify(old.place) !== JSON.stringify(place);
    return parts.length > 0 ? [{ kind: 'changed', ...named, parts }] : moved ? [{ kind: 'moved', ...named, parts: [] }] : [];
  });
  const removed = [...left.values()].filter(({ step }) => !names.has(step.name))
    .map(({ step }): Change => ({ kind: 'removed', name: step.name, displayName: step.displayName, parts: [] }));
  return [...changes, ...removed];
}
