import { api, type Answer } from '../../base/api/client';
import type { Failure, Result } from '../../base/api/failure';
import { success } from '../../base/api/failure';
import { createStore } from '../../base/store';
import type { Piece } from '../properties';
import { titleFrom } from './titles';

export type PieceSummary = Answer<'GET /v1/pieces'>[number];

export const summaries = createStore<Map<string, PieceSummary>>(new Map());

export function pieceTitle(name: string): string {
  return summaries.get().get(name)?.displayName ?? titleFrom(name);
}

let asked = '';

/** Loads the list once per project. */
export async function loadPieces(projectId: string): Promise<Failure | undefined> {
  if (asked === projectId) {
    return undefined;
  }
  const answer = await api('GET /v1/pieces', { query: { projectId } });
  if (!answer.ok) {
    return answer.failure;
  }
  asked = projectId;
  summaries.set(new Map(answer.value.map((piece) => [piece.name, piece])));
  return undefined;
}

export async function reloadPieces(projectId: string): Promise<Failure | undefined> {
  asked = '';
  return loadPieces(projectId);
}

const known = new Map<string, Piece>();

export async function pieceOf(name: string, version?: string): Promise<Result<Piece>> {
  const key = `${name}@${version ?? ''}`;
  const kept = known.get(key);
  if (kept) {
    return success(kept);
  }
  const [scope, rest] = name.includes('/') ? (name.split('/') as [string, string]) : ['', name];
  const query = version ? { version } : {};
  const answer = scope
    ? await api('GET /v1/pieces/{scope}/{name}', { path: { scope, name: rest }, query })
    : await api('GET /v1/pieces/{name}', { path: { name }, query });
  if (!answer.ok) {
    return answer;
  }
  const piece = answer.value as Piece;
  known.set(key, piece);
  return success(piece);
}
