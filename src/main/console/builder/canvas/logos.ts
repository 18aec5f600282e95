import { useEffect, useState } from 'preact/hooks';
import { picture } from '../../base/api/client';

/** Logos by piece, each fetched once through this server: the content security policy forbids other hosts. */
const asked = new Map<string, Promise<string>>();
const there = new Map<string, string>();

function logoOf(pieceName: string): Promise<string> {
  const known = asked.get(pieceName);
  if (known) {
    return known;
  }
  const path = pieceName.split('/').map(encodeURIComponent).join('/');
  const logo = picture(`/v1/pieces/${path}/logo`).then((url) => {
    there.set(pieceName, url ?? '');
    return url ?? '';
  });
  asked.set(pieceName, logo);
  return logo;
}

/** URL of a piece's logo; empty while it loads, or if there is none. */
export function useLogo(pieceName: string, wanted: boolean): string {
  const [, again] = useState('');
  useEffect(() => {
    if (wanted && !there.has(pieceName)) {
      void logoOf(pieceName).then(again);
    }
  }, [pieceName, wanted]);
  return wanted ? (there.get(pieceName) ?? '') : '';
}
