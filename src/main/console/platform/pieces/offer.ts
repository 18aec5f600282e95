import type { Answer } from '../../base/api/client';

export type Piece = Answer<'GET /v1/pieces'>[number];

export interface Offer {
  filteredPieceNames: string[];
  filteredPieceBehavior: 'ALLOWED' | 'BLOCKED';
}

/** True for a piece that users can find: not blocked, or explicitly allowed. */
export const isOffered = (offer: Offer, name: string): boolean =>
  offer.filteredPieceNames.includes(name) === (offer.filteredPieceBehavior === 'ALLOWED');

export function offering(offer: Offer, name: string, on: boolean): string[] {
  const others = offer.filteredPieceNames.filter((each) => each !== name);
  return on === (offer.filteredPieceBehavior === 'ALLOWED') ? [...others, name] : others;
}

export type View = 'all' | 'installed' | 'hidden' | 'requests';

export function inView(pieces: readonly Piece[], view: View, offer: Offer): Piece[] {
  switch (view) {
    case 'installed':
      return pieces.filter((piece) => piece.pieceType === 'CUSTOM');
    case 'hidden':
      return pieces.filter((piece) => !isOffered(offer, piece.name));
    case 'all':
    case 'requests':
      return [...pieces];
  }
}

export const tagsOf = (typed: string): string[] => [
  ...new Set(
    typed
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];

export const isExact = (version: string): boolean => /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version.trim());
