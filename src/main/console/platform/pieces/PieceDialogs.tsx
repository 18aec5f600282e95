import { useState } from 'preact/hooks';
import { api, type Answer } from '../../base/api/client';
import type { Failure, Result } from '../../base/api/failure';
import { reliably } from '../../base/api/reliably';
import { ConfirmDialog } from '../../base/components/ConfirmDialog';
import { Dialog, FormDialog } from '../../base/components/Dialog';
import { TextField } from '../../base/components/Field';
import { useQuery } from '../../base/query';
import { t } from '../../base/text';
import { Loaded } from '../Loaded';
import { InstallDialog } from './InstallDialog';
import { OpenApiDialog } from './openapi/OpenApiDialog';
import { tagsOf, type Piece } from './offer';

export type Asked =
  | { what: 'install'; piece?: Piece }
  | { what: 'openapi'; piece?: Piece }
  | { what: 'versions' | 'tags' | 'remove'; piece: Piece };

interface Props {
  asked: Asked;
  close: () => void;
  changed: () => void;
}

export function PieceDialogs({ asked, close, changed }: Props) {
  switch (asked.what) {
    case 'install':
      return <InstallDialog {...(asked.piece ? { piece: asked.piece } : {})} close={close} changed={changed} />;
    case 'openapi':
      return <OpenApiDialog {...(asked.piece ? { piece: asked.piece } : {})} close={close} changed={changed} />;
    case 'versions':
      return <VersionsDialog piece={asked.piece} close={close} />;
    case 'tags':
      return <TagsDialog piece={asked.piece} close={close} changed={changed} />;
    case 'remove':
      return (
        <ConfirmDialog
          title={t('pieces.removeTitle', { name: asked.piece.displayName })}
          submit={t('pieces.remove')}
          text={t('pieces.removeText', { version: asked.piece.version })}
          perform={() => api('DELETE /v1/pieces/{name}', { path: { name: asked.piece.id } })}
          done={t('pieces.removed', { name: asked.piece.displayName })}
          close={close}
          changed={changed}
        />
      );
  }
}

const versionsOf = (name: string, signal: AbortSignal): Promise<Result<Answer<'GET /v1/pieces/{name}/versions'>>> => {
  const [scope, rest] = name.includes('/') ? (name.split('/') as [string, string]) : ['', name];
  return scope
    ? api('GET /v1/pieces/{scope}/{name}/versions', { path: { scope, name: rest }, signal })
    : api('GET /v1/pieces/{name}/versions', { path: { name }, signal });
};

function VersionsDialog({ piece, close }: { piece: Piece; close: () => void }) {
  const versions = useQuery<string[]>(`versions ${piece.name}`, (signal) => versionsOf(piece.name, signal));
  return (
    <Dialog title={t('pieces.versionsTitle', { name: piece.displayName })} onClose={close}>
      <div class="body">
        <p class="faint">{t('pieces.versionsText')}</p>
        <Loaded query={versions} lines={2}>
          {(all) => (
            <ul class="plain-list">
              {all.map((version) => (
                <li key={version}>
                  <code>{version}</code>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </div>
    </Dialog>
  );
}

function TagsDialog({ piece, close, changed }: { piece: Piece; close: () => void; changed: () => void }) {
  const [typed, setTyped] = useState((piece.tags ?? []).join(', '));
  const perform = async (): Promise<Failure | undefined> => {
    const tags = tagsOf(typed);
    for (const name of tags) {
      const made = await reliably('POST /v1/tags', { body: { name } });
      if (!made.ok) {
        return made.failure;
      }
    }
    const done = await api('POST /v1/tags/pieces', { body: { piecesName: [piece.name], tags } });
    if (done.ok) {
      changed();
    }
    return done.ok ? undefined : done.failure;
  };
  return (
    <FormDialog
      title={t('pieces.tagsTitle', { name: piece.displayName })}
      submit={t('base.save')}
      onClose={close}
      perform={perform}>
      {() => (
        <TextField
          label={t('pieces.tags')}
          help={t('pieces.tagsHelp')}
          value={typed}
          onValue={setTyped}
          control={{ name: 'tags' }}
        />
      )}
    </FormDialog>
  );
}
