import type { Answer } from '../../base/api/client';

export type Piece = Answer<'GET /v1/pieces'>[number];

/** What a platform says of which pieces it offers. */
export interface Offer {
  filteredPieceNames: string[];
  filteredPieceBehavior: 'ALLOWED' | 'BLOCKED';
}

/** Whether people find a piece: all but the blocked ones, or only the allowed ones. */
export const isOffered = (offer: Offer, name: string): boolean =>
  offer.filteredPieceNames.includes(name) === (offer.filteredPieceBehavior === 'ALLOWED');

/** The list after a piece was offered or hidden. */
export function offering(offer: Offer, name: string, on: boolean): string[] {
  const others = offer.filteredPieceNames.filter((each) => each !== name);
  return on === (offer.filteredPieceBehavior === 'ALLOWED') ? [...others, name] : others;
}

export type View = 'all' | 'installed' | 'hidden';

/** The pieces of a view. */
export function inView(pieces: readonly Piece[], view: View, offer: Offer): Piece[] {
  switch (view) {
    case 'installed': return pieces.filter((piece) => piece.pieceType === 'CUSTOM');
    case 'hidden': return pieces.filter((piece) => !isOffered(offer, piece.name));
    case 'all': return [...pieces];
  }
}

/** Names of tags as they are typed, between commas. */
export const tagsOf = (typed: string): string[] => [...new Set(typed.split(',').map((tag) => tag.trim()).filter(Boolean))];

/** A version that names exactly one release: no range. */
export const isExact = (version: string): boolean => /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version.trim());
