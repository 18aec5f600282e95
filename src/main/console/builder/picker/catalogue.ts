import type { IconName } from '../../base/components/Icon';
import { kept } from '../../base/kept';
import { found } from '../../base/search';
import { t } from '../../base/text';
import { summaries, type PieceSummary } from '../canvas/pieces';
import { emptyInput, type Operation, type Piece } from '../properties';
import type { Given } from '../operations';
import type { Installable } from './installable';
import { emptyConditions } from '../tree';

/** Entry of the picker. */
export interface Entry {
  id: string;
  kind: 'piece' | 'operation' | 'npm' | 'code' | 'loop' | 'router';
  title: string;
  about: string;
  pieceName?: string;
  operation?: string;
  icon?: IconName;
  /** Must be installed first. */
  missing?: Installable;
}

const USED = 'millrace.used';
const USED_MAX = 60;
/** Pieces ranked first until the user has chosen others. */
const USUAL = ['webhook', 'http', 'schedule', 'data-mapper', 'forms', 'tables', 'approval', 'delay', 'store', 'subflows'];

const usual = (piece: PieceSummary): number => {
  const at = USUAL.indexOf(piece.name.replace(/^.*piece-/, ''));
  return at < 0 ? 0 : 20 - at;
};

/** Number of uses of each piece in this browser. */
export function uses(): Record<string, number> {
  try {
    return JSON.parse(kept.get(USED) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

export function used(id: string): void {
  const all = { ...uses(), [id]: (uses()[id] ?? 0) + 1 };
  const most = Object.entries(all).sort(([, one], [, other]) => other - one).slice(0, USED_MAX);
  kept.set(USED, JSON.stringify(Object.fromEntries(most)));
}

export const builtIn = (): Entry[] => [
  { id: 'router', kind: 'router', title: t('picker.router'), about: t('picker.router.about') },
  { id: 'loop', kind: 'loop', title: t('picker.loop'), about: t('picker.loop.about') },
  { id: 'code', kind: 'code', title: t('picker.code'), about: t('picker.code.about') },
];

/** Catalogue piece that is neither installed nor installed on demand. */
const missingOf = (piece: PieceSummary): { missing?: Installable } => piece.installed === false && !summaries.get().has(piece.name)
  ? { missing: { name: piece.name, displayName: piece.displayName, description: piece.description, version: piece.version } } : {};

/** Entries for a query: built-in steps, pieces, and matching actions or triggers. */
export function entries(pieces: Iterable<PieceSummary>, forTrigger: boolean, typed: string): Entry[] {
  const able = [...pieces].filter((piece) => ((forTrigger ? piece.triggers : piece.actions) ?? 0) > 0);
  const counts = uses();
  const rank = (piece: PieceSummary): number => (counts[piece.name] ?? 0) * 10 + usual(piece) + Math.min(4, Math.log10(1 + piece.projectUsage));
  const ofPieces: Entry[] = able
    .sort((one, other) => rank(other) - rank(one) || one.displayName.localeCompare(other.displayName))
    .map((piece) => ({ id: piece.name, kind: 'piece', title: piece.displayName, about: piece.description, pieceName: piece.name, ...missingOf(piece) }));
  const own = forTrigger ? [] : builtIn();
  if (typed.trim() === '') {
    return [...own, ...ofPieces];
  }
  const operations: Entry[] = able.flatMap((piece) => ((forTrigger ? piece.suggestedTriggers : piece.suggestedActions) ?? [])
    .map((operation) => ({
      id: `${piece.name}/${operation.name}`, kind: 'operation' as const, title: operation.displayName, about: piece.displayName,
      pieceName: piece.name, operation: operation.name, ...missingOf(piece),
    })));
  const byName = found([...own, ...ofPieces], typed, (entry) => entry.title);
  const byOperation = found(operations, typed, (entry) => `${entry.title} ${entry.about}`);
  return [...byName, ...byOperation];
}

/** New step for a chosen operation. */
export function stepOf(piece: Piece, operation: Operation, kind: 'action' | 'trigger', name: string): Given {
  return {
    name,
    type: kind === 'trigger' ? 'PIECE_TRIGGER' : 'PIECE',
    displayName: operation.displayName,
    valid: false,
    settings: {
      pieceName: piece.name,
      pieceVersion: piece.version,
      [kind === 'trigger' ? 'triggerName' : 'actionName']: operation.name,
      input: emptyInput(operation.props),
      propertySettings: Object.fromEntries(Object.keys(operation.props).map((key) => [key, { type: 'MANUAL' as const }])),
      ...(kind === 'action' ? { errorHandlingOptions: {
        continueOnFailure: { value: operation.errorHandlingOptions?.continueOnFailure?.defaultValue ?? false },
        retryOnFailure: { value: operation.errorHandlingOptions?.retryOnFailure?.defaultValue ?? false },
      } } : {}),
    },
  };
}

export function ownStep(kind: 'code' | 'loop' | 'router', name: string): Given {
  switch (kind) {
    case 'code': return {
      name, type: 'CODE', displayName: t('picker.code'), valid: true,
      settings: { sourceCode: { code: 'export const code = async (inputs) => {\n  return { done: true };\n};\n', packageJson: '{}' }, input: {} },
    };
    case 'loop': return { name, type: 'LOOP_ON_ITEMS', displayName: t('picker.loop'), valid: false, settings: { items: '' } };
    case 'router': return {
      name, type: 'ROUTER', displayName: t('picker.router'), valid: false,
      settings: {
        executionType: 'EXECUTE_FIRST_MATCH',
        branches: [
          { branchName: t('router.branch', { number: 1 }), branchType: 'CONDITION', conditions: emptyConditions() },
          { branchName: t('router.otherwise'), branchType: 'FALLBACK' },
        ],
      },
    };
  }
}
