import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { complain } from '../../base/components/Toasts';
import { Button } from '../../base/components/Button';
import { Icon } from '../../base/components/Icon';
import { found } from '../../base/search';
import { useQuery } from '../../base/query';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { PieceLogo } from '../canvas/PieceLogo';
import { pieceOf, summaries } from '../canvas/pieces';
import { useBuilder } from '../context';
import type { Given } from '../operations';
import type { Piece } from '../properties';
import { freeNames } from '../steps';
import { packageFor, type Installable } from './installable';
import { InstallOffer } from './InstallOffer';
import { InstallPiece } from './InstallPiece';
import { ableTo, entries, operationEntries, ownStep, stepOf, used, type Entry } from './catalogue';
import { Categories } from './Categories';
import { PickerRow } from './PickerRow';
import { categoriesOf, type Category } from './sections';

interface Props {
  forTrigger: boolean;
  onChoose: (step: Given) => void;
  onClose: () => void;
}

/** Chooses the action of a new step: query, arrow keys, Enter. A piece opens its actions; Backspace goes back. */
export function Picker({ forTrigger, onChoose, onClose }: Props) {
  const { builder, projectId } = useBuilder();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [piece, setPiece] = useState<Piece>();
  const [category, setCategory] = useState<Category>();
  const [missing, setMissing] = useState<Installable>();
  const pieces = useStore(summaries);
  const query = typed.trim();
  const matching = useQuery(`pieces that match ${query} ${category ?? ''} ${forTrigger}`, (signal) =>
    api('GET /v1/pieces', {
      query: {
        projectId,
        ...(query || category ? { includeInstallable: true } : {}),
        ...(category ? { categories: [category] } : {}),
        ...(query
          ? { searchQuery: query, suggestionType: forTrigger ? ('TRIGGER' as const) : ('ACTION' as const) }
          : {}),
      },
      signal,
    }),
  );
  const categories = useQuery('categories of pieces', (signal) => api('GET /v1/pieces/categories', { signal }));
  const shown: Entry[] = piece
    ? found(operationEntries(piece, forTrigger), typed, (each) => `${each.title} ${each.about}`)
    : entries(query || category ? mergeOf(pieces, matching.value) : pieces.values(), forTrigger, typed, category);
  // Before the next key event, so that the key goes into the picker.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    dialog.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, typed, piece]);
  const offered = piece === undefined && shown.length === 0 && !matching.loading ? packageFor(typed) : undefined;
  const name = forTrigger ? 'trigger' : freeNames(builder.version.trigger, 1)[0]!;
  const choose = async (entry: Entry | undefined): Promise<void> => {
    if (!entry) {
      return;
    }
    if (entry.kind === 'code' || entry.kind === 'loop' || entry.kind === 'router') {
      onChoose(ownStep(entry.kind, name));
      return;
    }
    if (entry.missing) {
      setMissing(entry.missing);
      return;
    }
    const chosen = piece ? { ok: true as const, value: piece } : await pieceOf(entry.pieceName!);
    if (!chosen.ok) {
      complain(chosen.failure);
    } else if (entry.kind === 'piece') {
      setPiece(chosen.value);
      setTyped('');
      setAt(0);
      dialog.current?.querySelector('input')?.focus();
    } else {
      const operation = (forTrigger ? chosen.value.triggers : chosen.value.actions)[entry.operation!];
      if (operation) {
        used(chosen.value.name);
        onChoose(stepOf(chosen.value, operation, forTrigger ? 'trigger' : 'action', name));
      }
    }
  };
  const back = (): void => {
    setPiece(undefined);
    setMissing(undefined);
    setAt(0);
  };
  const steer = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((at + step + shown.length) % Math.max(1, shown.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      void choose(shown[at]);
    } else if (event.key === 'Backspace' && typed === '' && piece) {
      event.preventDefault();
      back();
    }
  };
  return (
    <dialog
      class="palette picker"
      ref={dialog}
      aria-label={t(forTrigger ? 'picker.trigger' : 'picker.action')}
      onClose={onClose}
      onPointerDown={(event) => event.target === dialog.current && onClose()}>
      <div class="palette-input">
        {piece || missing ? (
          <Button kind="quiet" size="small" icon="arrow-left" label={t('picker.back')} onClick={back} />
        ) : (
          <Icon name="search" />
        )}
        {piece ? <PieceLogo pieceName={piece.name} size={20} /> : null}
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="picker-list"
          aria-activedescendant={shown[at] ? `picker-${at}` : undefined}
          autofocus
          aria-label={t('picker.search')}
          placeholder={
            piece
              ? t('picker.searchIn', { name: piece.displayName })
              : t(forTrigger ? 'picker.trigger' : 'picker.action')
          }
          value={typed}
          onKeyDown={steer}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setMissing(undefined);
            setAt(0);
          }}
        />
      </div>
      {piece || missing ? null : (
        <Categories
          all={[...new Set([...categoriesOf(ableTo(pieces.values(), forTrigger)), ...(categories.value ?? [])])]}
          chosen={category}
          onChoose={(chosen) => {
            setCategory(chosen);
            setAt(0);
            dialog.current?.querySelector('input')?.focus();
          }}
        />
      )}
      <ul
        id="picker-list"
        hidden={missing !== undefined}
        role="listbox"
        aria-label={t(forTrigger ? 'picker.trigger' : 'picker.action')}>
        {shown.map((entry, index) => [
          entry.section && entry.section !== shown[index - 1]?.section ? (
            <li key={entry.section} class="picker-section" role="presentation">
              {t(`picker.section.${entry.section}`)}
            </li>
          ) : null,
          <PickerRow
            key={entry.id}
            entry={entry}
            id={`picker-${index}`}
            active={index === at}
            onActive={() => setAt(index)}
            onChoose={() => void choose(entry)}
          />,
        ])}
        {shown.length === 0 ? (
          <li class="faint" role="presentation">
            {matching.loading ? t('base.loading') : t('picker.none')}
          </li>
        ) : null}
      </ul>
      {offered && !missing ? (
        <div class="install-offer">
          <InstallOffer piece={offered} onChoose={setMissing} />
        </div>
      ) : null}
      {missing ? (
        <InstallPiece
          key={missing.name}
          piece={missing}
          projectId={projectId}
          onInstalled={(installed) => {
            setMissing(undefined);
            setPiece(installed);
            setTyped('');
            setAt(0);
            dialog.current?.querySelector('input')?.focus();
          }}
        />
      ) : null}
    </dialog>
  );
}

/** Matches of the server replace entries of the list, so that no entry vanishes while a response is pending. */
function mergeOf<T extends { name: string }>(pieces: Map<string, T>, matching: T[] | undefined): T[] {
  const merged = new Map(pieces);
  matching?.forEach((piece) => merged.set(piece.name, piece));
  return [...merged.values()];
}
