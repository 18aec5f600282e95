import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../base/components/Icon';
import { t } from '../../base/text';
import type { Offer } from '../data/completions';

/**
 * Completions of a word. The field keeps the focus and forwards key events. Rows have no keys: labels can repeat, and
 * each row is replaced in place.
 */
export function OfferList({
  id,
  offers,
  at,
  onChoose,
}: {
  id: string;
  offers: readonly Offer[];
  at: number;
  onChoose: (offer: Offer) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at, offers]);
  return (
    <ul class="offers" id={id} role="listbox" aria-label={t('formula.offers')} ref={list}>
      {offers.map((offer, index) => (
        <li
          key={index}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          data-active={index === at}
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(offer);
          }}>
          <Icon name={offer.kind === 'data' ? 'braces' : 'square-function'} size={14} />
          <span class="cut spread">{offer.label}</span>
          <span class="faint cut">{offer.about}</span>
        </li>
      ))}
    </ul>
  );
}

/** Handles arrow keys, Enter, Tab and Escape while completions are shown; true if the key was handled. */
export function steerOffers(
  event: KeyboardEvent,
  count: number,
  at: number,
  move: (at: number) => void,
  choose: () => void,
  close: () => void,
): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (count === 0 || (step === undefined && !['Enter', 'Tab', 'Escape'].includes(event.key))) {
    return false;
  }
  event.preventDefault();
  event.stopPropagation();
  if (step !== undefined) {
    move((at + step + count) % count);
  } else if (event.key === 'Escape') {
    close();
  } else {
    choose();
  }
  return true;
}
