import type { Given } from '../operations';
import type { Branch, Settings } from '../steps';
import { merge, same, type Clash } from './merge';

/** Piece and action of a step: settings of different actions are merged as a whole. */
const kindOf = ({ type, settings }: Given): unknown => [
  type,
  settings.pieceName,
  settings.actionName,
  settings.triggerName,
];

/** Step without fields that the server derives. */
export const essence = ({ type, name, displayName, skip, settings }: Given): unknown => ({
  type,
  name,
  displayName,
  skip: skip ?? false,
  settings,
});

export function mergeStep(base: Given, mine: Given, theirs: Given, clashes: Clash[]): Given {
  const displayName = merge(base.displayName, mine.displayName, theirs.displayName, clashes, ['displayName']) as string;
  const skip = merge(base.skip ?? false, mine.skip ?? false, theirs.skip ?? false, clashes, ['skip']) as boolean;
  const isMineOther = !same(kindOf(base), kindOf(mine));
  const body =
    isMineOther || !same(kindOf(base), kindOf(theirs))
      ? wholeOf(base, mine, theirs, clashes)
      : { type: theirs.type, settings: mergeSettings(base.settings, mine.settings, theirs.settings, clashes) };
  const valid = same(body.settings, theirs.settings) ? theirs.valid : mine.valid;
  return { name: theirs.name, displayName, valid, ...(skip ? { skip } : {}), ...body };
}

function wholeOf(base: Given, mine: Given, theirs: Given, clashes: Clash[]): Pick<Given, 'type' | 'settings'> {
  const part = ({ type, settings }: Given): Pick<Given, 'type' | 'settings'> => ({ type, settings });
  if (same(part(mine), part(base)) || same(part(mine), part(theirs))) {
    return part(theirs);
  }
  if (same(part(theirs), part(base))) {
    return part(mine);
  }
  clashes.push({ path: [], mine: part(mine), theirs: part(theirs) });
  return part(theirs);
}

function mergeSettings(base: Settings, mine: Settings, theirs: Settings, clashes: Clash[]): Settings {
  const rest = ({ branches: _, ...others }: Settings): Settings => others;
  const merged = merge(rest(base), rest(mine), rest(theirs), clashes, ['settings']) as Settings;
  const branches = mergeBranches(base.branches, mine.branches, theirs.branches, clashes);
  return branches ? { ...merged, branches } : merged;
}

/** Separate operations add, move and remove branches: an update only changes some of them in place. */
function mergeBranches(
  base: Branch[] | undefined,
  mine: Branch[] | undefined,
  theirs: Branch[] | undefined,
  clashes: Clash[],
): Branch[] | undefined {
  if (!base || !mine || !theirs || base.length !== mine.length) {
    return merge(base, mine, theirs, clashes, ['settings', 'branches']) as Branch[] | undefined;
  }
  const merged = [...theirs];
  base.forEach((branch, index) => {
    if (same(branch, mine[index])) {
      return;
    }
    const at = placeOf(base, theirs, index);
    if (at === undefined) {
      clashes.push({ path: ['settings', 'branches'], mine: mine[index], theirs: undefined });
    } else {
      merged[at] = merge(branch, mine[index], theirs[at], clashes, ['settings', 'branches', String(at)]) as Branch;
    }
  });
  return merged;
}

/** Current index of a branch; undefined if it was removed or is ambiguous. */
export function placeOf(base: readonly Branch[], now: readonly Branch[], index: number): number | undefined {
  const branch = base[index];
  if (!branch || same(base, now)) {
    return branch ? index : undefined;
  }
  const places = (branches: readonly Branch[], isIt: (each: Branch) => boolean): number[] =>
    branches.flatMap((each, at) => (isIt(each) ? [at] : []));
  const tests: Array<(each: Branch) => boolean> = [
    (each) => same(each, branch),
    (each) => each.branchName === branch.branchName && each.branchType === branch.branchType,
    (each) => branch.branchType === 'FALLBACK' && each.branchType === 'FALLBACK',
  ];
  for (const isIt of tests) {
    const [before, after] = [places(base, isIt), places(now, isIt)];
    if (before.length > 0 && before.length === after.length) {
      return after[before.indexOf(index)];
    }
  }
  const isOther = base.some(
    (each, at) => at !== index && now[index] !== undefined && each.branchName === now[index].branchName,
  );
  return base.length === now.length && !isOther ? index : undefined;
}
