import type { IconName } from '../../base/components/Icon';
import { kept } from '../../base/kept';
import { t, type TextKey } from '../../base/text';
import { summaries, type PieceSummary } from '../canvas/pieces';
import { asksForAuth, emptyInput, lacking, type Operation, type Piece } from '../properties';
import type { Given } from '../operations';
import type { Installable } from './installable';
import { matches } from './matches';
import { emptyConditions } from '../tree';
import { categoryText, repeatedNames, sectioned, type Category, type Section } from './sections';

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
  /** Absent among the results of a query. */
  section?: Section;
}

const USED = 'millrace.used';
const USED_MAX = 60;
/** Pieces ranked first until the user has chosen others. */
const USUAL = [
  'webhook',
  'http',
  'schedule',
  'data-mapper',
  'forms',
  'tables',
  'approval',
  'delay',
  'store',
  'subflows',
];

const usual = (piece: PieceSummary): number => {
  const at = USUAL.indexOf(piece.name.replace(/^.*piece-/, ''));
  return at < 0 ? 0 : 20 - at;
};

export function uses(): Record<string, number> {
  try {
    return JSON.parse(kept.get(USED) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

export function used(id: string): void {
  const all = { ...uses(), [id]: (uses()[id] ?? 0) + 1 };
  const most = Object.entries(all)
    .sort(([, one], [, other]) => other - one)
    .slice(0, USED_MAX);
  kept.set(USED, JSON.stringify(Object.fromEntries(most)));
}

export const builtIn = (): Entry[] => [
  { id: 'router', kind: 'router', title: t('picker.router'), about: t('picker.router.about') },
  { id: 'loop', kind: 'loop', title: t('picker.loop'), about: t('picker.loop.about') },
  { id: 'code', kind: 'code', title: t('picker.code'), about: t('picker.code.about') },
];

/** Catalogue piece that is neither installed nor installed on demand. */
const missingOf = (piece: PieceSummary): { missing?: Installable } =>
  piece.installed === false && !summaries.get().has(piece.name)
    ? {
        missing: {
          name: piece.name,
          displayName: piece.displayName,
          description: piece.description,
          version: piece.version,
        },
      }
    : {};

/** Descriptions of own pieces as actions: those of the pieces are about their triggers. */
const ABOUT_ACTIONS: Record<string, TextKey> = {
  '@activepieces/piece-webhook': 'picker.about.webhook',
  '@activepieces/piece-forms': 'picker.about.forms',
  '@activepieces/piece-mcp': 'picker.about.mcp',
  '@activepieces/piece-subflows': 'picker.about.subflows',
};

const aboutOf = (piece: PieceSummary, forTrigger: boolean): string => {
  const text = forTrigger ? undefined : ABOUT_ACTIONS[piece.name];
  return text ? t(text) : piece.description;
};

export const ableTo = (pieces: Iterable<PieceSummary>, forTrigger: boolean): PieceSummary[] =>
  [...pieces].filter((piece) => ((forTrigger ? piece.triggers : piece.actions) ?? 0) > 0);

export function entries(
  pieces: Iterable<PieceSummary>,
  forTrigger: boolean,
  typed: string,
  category?: Category,
): Entry[] {
  const able = ableTo(pieces, forTrigger).filter(
    (piece) => category === undefined || piece.categories.includes(category),
  );
  const counts = uses();
  const rank = new Map(
    able.map((piece) => [
      piece.name,
      (counts[piece.name] ?? 0) * 10 + usual(piece) + Math.min(4, Math.log10(1 + piece.projectUsage)),
    ]),
  );
  const rankOf = (entry: Entry): number => rank.get(entry.pieceName ?? '') ?? 0;
  const ofPieces: Entry[] = able
    .map(
      (piece): Entry => ({
        id: piece.name,
        kind: 'piece',
        title: piece.displayName,
        about: aboutOf(piece, forTrigger),
        pieceName: piece.name,
        ...missingOf(piece),
      }),
    )
    .sort((one, other) => rankOf(other) - rankOf(one) || one.title.localeCompare(other.title));
  const own = forTrigger || (category !== undefined && category !== 'FLOW_CONTROL') ? [] : builtIn();
  if (typed.trim() === '') {
    return category === undefined
      ? sectioned(own, ofPieces, rankOf).map(({ section, entry }) => ({ ...entry, section }))
      : [...own, ...ofPieces];
  }
  const operations: Entry[] = able.flatMap((piece) =>
    ((forTrigger ? piece.suggestedTriggers : piece.suggestedActions) ?? []).map((operation) => ({
      id: `${piece.name}/${operation.name}`,
      kind: 'operation' as const,
      title: operation.displayName,
      about: piece.displayName,
      pieceName: piece.name,
      operation: operation.name,
      ...missingOf(piece),
    })),
  );
  const words = new Map(able.map((piece) => [piece.name, wordsOf(piece)]));
  return matches([...own, ...ofPieces], operations, (entry) => words.get(entry.id) ?? '', typed);
}

export const wordsOf = (piece: PieceSummary): string =>
  [piece.name, piece.description, ...piece.categories.map((category) => t(categoryText(category)))].join(' ');

/** Actions or triggers of a piece; those of the same name also show their technical name. */
export function operationEntries(piece: Piece, forTrigger: boolean): Entry[] {
  const operations = Object.values(forTrigger ? piece.triggers : piece.actions);
  const repeated = repeatedNames(operations);
  return operations.map((each) => ({
    id: each.name,
    kind: 'operation',
    title: each.displayName,
    about: repeated.has(each.displayName.toLowerCase()) ? `${each.name} · ${each.description}` : each.description,
    pieceName: piece.name,
    operation: each.name,
  }));
}

export function stepOf(piece: Piece, operation: Operation, kind: 'action' | 'trigger', name: string): Given {
  const input = emptyInput(operation.props);
  return {
    name,
    type: kind === 'trigger' ? 'PIECE_TRIGGER' : 'PIECE',
    displayName: operation.displayName,
    // Provisional value until the server has checked the step: an author can test it before.
    valid: lacking(operation.props, input).length === 0 && !asksForAuth(piece, operation),
    settings: {
      pieceName: piece.name,
      pieceVersion: piece.version,
      [kind === 'trigger' ? 'triggerName' : 'actionName']: operation.name,
      input,
      propertySettings: Object.fromEntries(
        Object.keys(operation.props).map((key) => [key, { type: 'MANUAL' as const }]),
      ),
      ...(kind === 'action'
        ? {
            errorHandlingOptions: {
              continueOnFailure: { value: operation.errorHandlingOptions?.continueOnFailure?.defaultValue ?? false },
              retryOnFailure: { value: operation.errorHandlingOptions?.retryOnFailure?.defaultValue ?? false },
            },
          }
        : {}),
    },
  };
}

export function ownStep(kind: 'code' | 'loop' | 'router', name: string): Given {
  switch (kind) {
    case 'code':
      return {
        name,
        type: 'CODE',
        displayName: t('picker.code'),
        valid: true,
        settings: {
          sourceCode: {
            code: 'export const code = async (inputs) => {\n  return { done: true };\n};\n',
            packageJson: '{}',
          },
          input: {},
        },
      };
    case 'loop':
      return { name, type: 'LOOP_ON_ITEMS', displayName: t('picker.loop'), valid: false, settings: { items: '' } };
    case 'router':
      return {
        name,
        type: 'ROUTER',
        displayName: t('picker.router'),
        valid: false,
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
