import { innerOf, isFormula } from '../data/formulas';
import { partsOf, referenceOf } from '../data/references';
import { walk, type Step } from '../steps';

export interface Change {
  kind: 'added' | 'removed' | 'changed' | 'moved';
  name: string;
  displayName: string;
  parts: Array<{ path: string; before: string; after: string }>;
}

const LETTERS_MAX = 160;
const IGNORED = new Set(['sampleData', 'lastUpdatedDate', 'propertySettings']);

interface Words {
  steps: ReadonlyMap<string, string>;
  fields: ReadonlyMap<string, string>;
}

function readable(text: string, steps: Words['steps']): string {
  return partsOf(text)
    .map((part) => {
      if (part.kind === 'text') {
        return part.text;
      }
      if (isFormula(part.text)) {
        return readable(innerOf(part.text), steps);
      }
      const reference = referenceOf(part.text);
      const title = reference && steps.get(reference.root);
      return title === undefined
        ? part.text
        : [title, ...reference!.path.filter((key, at) => at > 0 || key !== 'output')].join(' › ');
    })
    .join('');
}

function shown(value: unknown, words: Words): unknown {
  if (typeof value === 'string') {
    return readable(value, words.steps);
  }
  if (Array.isArray(value)) {
    return value.map((each) => shown(each, words));
  }
  return value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [words.fields.get(key) ?? key, shown(part, words)]))
    : value;
}

function written(value: unknown, words: Words): string {
  const readily = shown(value, words);
  const text = typeof readily === 'string' ? readily : readily === undefined ? '' : JSON.stringify(readily);
  return text.length > LETTERS_MAX ? text.slice(0, LETTERS_MAX) + '…' : text;
}

/** Titles of the dynamic fields of steps, such as the columns of a table, from the schemas kept in their settings. */
function fieldTitles(...steps: Step[]): Map<string, string> {
  const titles = new Map<string, string>();
  const visit = (value: unknown): void => {
    if (value !== null && typeof value === 'object') {
      Object.entries(value).forEach(([key, part]) => {
        const title = (part as { displayName?: unknown } | null)?.displayName;
        if (typeof title === 'string') {
          titles.set(key, title);
        }
        visit(part);
      });
    }
  };
  steps.forEach((step) =>
    Object.values(step.settings.propertySettings ?? {}).forEach((setting) =>
      visit((setting as { schema?: unknown }).schema),
    ),
  );
  return titles;
}

function compare(before: unknown, after: unknown, path: string, words: Words, parts: Change['parts']): void {
  if (JSON.stringify(before) === JSON.stringify(after)) {
    return;
  }
  const both = [before, after].every((value) => value !== null && typeof value === 'object' && !Array.isArray(value));
  if (both) {
    const [left, right] = [before as Record<string, unknown>, after as Record<string, unknown>];
    new Set([...Object.keys(left), ...Object.keys(right)]).forEach((key) => {
      if (!IGNORED.has(key)) {
        const name = words.fields.get(key) ?? key;
        compare(left[key], right[key], path === '' ? name : `${path} › ${name}`, words, parts);
      }
    });
  } else {
    parts.push({ path, before: written(before, words), after: written(after, words) });
  }
}

export function changesOf(before: Step, after: Step): Change[] {
  const left = new Map(walk(before).map((visited) => [visited.step.name, visited]));
  const right = walk(after);
  const titles = new Map([...left.values(), ...right].map(({ step }) => [step.name, step.displayName]));
  const names = new Set(right.map((visited) => visited.step.name));
  const changes: Change[] = right.flatMap(({ step, place }): Change[] => {
    const old = left.get(step.name);
    const named = { name: step.name, displayName: step.displayName };
    if (!old) {
      return [{ kind: 'added', ...named, parts: [] }];
    }
    const parts: Change['parts'] = [];
    compare(
      { name: old.step.displayName, type: old.step.type, skip: old.step.skip ?? false, ...old.step.settings },
      { name: step.displayName, type: step.type, skip: step.skip ?? false, ...step.settings },
      '',
      { steps: titles, fields: fieldTitles(old.step, step) },
      parts,
    );
    const parentStays = place !== undefined && left.has(place.parent) && names.has(old.place?.parent ?? '');
    const moved = parentStays && JSON.stringify(old.place) !== JSON.stringify(place);
    return parts.length > 0
      ? [{ kind: 'changed', ...named, parts }]
      : moved
        ? [{ kind: 'moved', ...named, parts: [] }]
        : [];
  });
  const removed = [...left.values()]
    .filter(({ step }) => !names.has(step.name))
    .map(({ step }): Change => ({ kind: 'removed', name: step.name, displayName: step.displayName, parts: [] }));
  return [...changes, ...removed];
}
