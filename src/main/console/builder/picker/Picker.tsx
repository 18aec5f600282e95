import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { complain } from '../../base/components/Toasts';
import { Button } from '../../base/components/Button';
import { Icon } from '../../base/components/Icon';
import { Badge } from '../../base/components/States';
import { found } from '../../base/search';
import { useQuery } from '../../base/query';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { PieceLogo } from '../canvas/PieceLogo';
import { pieceOf, summaries } from '../canvas/pieces';
import { useBuilder } from '../context';
import type { Given } from '../operations';
import type { Piece } from '../properties';
import { freeNames, type Step } from '../steps';
import { packageFor, type Installable } from './installable';
import { InstallPiece, useIsAdmin } from './InstallPiece';
import { entries, ownStep, stepOf, used, type Entry } from './catalogue';

interface Props {
  forTrigger: boolean;
  onChoose: (step: Given) => void;
  onClose: () => void;
}

/** Chooses the action of a new step: query, arrow keys, Enter. A piece opens its actions; Backspace goes back. */
export function Picker({ forTrigger, onChoose, onClose }: Props) {
  const { builder, projectId } = useBuilder();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, type] = useState('');
  const [at, move] = useState(0);
  const [piece, open] = useState<Piece>();
  const [missing, offerInstall] = useState<Installable>();
  const isAdmin = useIsAdmin();
  const pieces = useStore(summaries);
  const matching = useQuery(`pieces that match ${typed.trim()} ${forTrigger}`, (signal) => api('GET /v1/pieces', {
    query: { projectId, ...(typed.trim() ? { searchQuery: typed.trim(), suggestionType: forTrigger ? 'TRIGGER' as const : 'ACTION' as const, includeInstallable: true } : {}) }, signal,
  }));
  const operations = Object.values((forTrigger ? piece?.triggers : piece?.actions) ?? {});
  const shown: Entry[] = piece
    ? found(operations, typed, (each) => `${each.displayName} ${each.description}`).map((each) => ({
      id: each.name, kind: 'operation', title: each.displayName, about: each.description, pieceName: piece.name, operation: each.name,
    }))
    : entries(typed.trim() ? mergeOf(pieces, matching.value) : pieces.values(), forTrigger, typed);
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
      offerInstall(entry.missing);
      return;
    }
    const chosen = piece ? { ok: true as const, value: piece } : await pieceOf(entry.pieceName!);
    if (!chosen.ok) {
      complain(chosen.failure);
    } else if (entry.kind === 'piece') {
      open(chosen.value);
      type('');
      move(0);
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
    open(undefined);
    offerInstall(undefined);
    move(0);
  };
  const steer = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      move((at + step + shown.length) % Math.max(1, shown.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      void choose(shown[at]);
    } else if (event.key === 'Backspace' && typed === '' && piece) {
      event.preventDefault();
      back();
    }
  };
  return (
    <dialog class="palette picker" ref={dialog} aria-label={t(forTrigger ? 'picker.trigger' : 'picker.action')} onClose={onClose}
      onPointerDown={(event) => event.target === dialog.current && onClose()}>
      <div class="palette-input">
        {piece || missing ? <Button kind="quiet" size="small" icon="arrow-left" label={t('picker.back')} onClick={back} /> : <Icon name="search" />}
        {piece ? <PieceLogo pieceName={piece.name} size={20} /> : null}
        <input role="combobox" aria-expanded="true" aria-controls="picker-list" aria-activedescendant={shown[at] ? `picker-${at}` : undefined} autofocus
          aria-label={t('picker.search')} placeholder={piece ? t('picker.searchIn', { name: piece.displayName }) : t(forTrigger ? 'picker.trigger' : 'picker.action')}
          value={typed} onKeyDown={steer} onInput={(event) => {
            type(event.currentTarget.value);
            offerInstall(undefined);
            move(0);
          }} />
      </div>
      <ul id="picker-list" hidden={missing !== undefined} role="listbox" aria-label={t(forTrigger ? 'picker.trigger' : 'picker.action')}>
        {shown.map((entry, index) => (
          <li key={entry.id} id={`picker-${index}`} role="option" data-entry={entry.id} aria-selected={index === at} data-active={index === at}
            onPointerMove={() => move(index)} onClick={() => void choose(entry)}>
            <EntryLogo entry={entry} />
            <span class="picker-words"><span class="cut">{entry.title}</span><span class="faint cut">{entry.about}</span></span>
            {entry.missing ? <Badge tone="grey" icon="download">{t('install.missing')}</Badge> : entry.kind === 'piece' ? <Icon name="chevron-right" /> : null}
          </li>
        ))}
        {shown.length === 0 ? <li class="faint" role="presentation">{matching.loading ? t('base.loading') : t('picker.none')}</li> : null}
      </ul>
      {offered && !missing ? (
        <div class="install-offer">
          {isAdmin ? <Button size="small" icon="download" more={{ 'data-npm': offered.name } as never} onClick={() => offerInstall(offered)}>{t('install.npm', { name: offered.name })}</Button> : <span class="faint">{t('install.notListed')}</span>}
        </div>
      ) : null}
      {missing ? (
        <InstallPiece key={missing.name} piece={missing} projectId={projectId} onInstalled={(installed) => {
          offerInstall(undefined);
          open(installed);
          type('');
          move(0);
          dialog.current?.querySelector('input')?.focus();
        }} />
      ) : null}
    </dialog>
  );
}

const TYPES: Record<string, Step['type']> = { code: 'CODE', loop: 'LOOP_ON_ITEMS', router: 'ROUTER' };

function EntryLogo({ entry }: { entry: Entry }) {
  const type = TYPES[entry.kind];
  return type ? <PieceLogo size={20} step={{ type, name: '', displayName: '', valid: true, settings: {} }} /> : <PieceLogo size={20} pieceName={entry.pieceName ?? ''} />;
}

/** Matches of the server replace entries of the list, so that no entry vanishes while a response is pending. */
function mergeOf<T extends { name: string }>(pieces: Map<string, T>, matching: T[] | undefined): T[] {
  const merged = new Map(pieces);
  matching?.forEach((piece) => merged.set(piece.name, piece));
  return [...merged.values()];
}
