import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { settle, type Failure } from '../../base/api/failure';
import { FormDialog } from '../../base/components/Dialog';
import { Field, TextField } from '../../base/components/Field';
import { say } from '../../base/components/Toasts';
import { useQuery } from '../../base/query';
import { t } from '../../base/text';
import { packageFor } from '../../builder/picker/installable';
import { isExact, type Piece } from './offer';

/** Installs an npm package from the registry, the newest version unless one is named, or from a file. */
export function InstallDialog({ piece, close, changed }: { piece?: Piece; close: () => void; changed: () => void }) {
  const [pieceName, setPieceName] = useState(piece?.name ?? '');
  const [pieceVersion, setPieceVersion] = useState(piece?.version ?? '');
  const [archive, setArchive] = useState<File>();
  const catalogue = useQuery('catalogue to install', (signal) =>
    api('GET /v1/pieces', { query: { includeInstallable: true }, signal }),
  );
  const named = catalogue.value?.find((each) => each.displayName.toLowerCase() === pieceName.trim().toLowerCase());
  const packageName = archive ? pieceName.trim() : (named?.name ?? packageFor(pieceName)?.name ?? pieceName.trim());
  const perform = async (): Promise<Failure | undefined> => {
    const wish = {
      packageType: archive ? 'ARCHIVE' : 'REGISTRY',
      scope: 'PLATFORM',
      pieceName: packageName,
      pieceVersion: pieceVersion.trim() || 'latest',
    } as const;
    const installed = await api('POST /v1/pieces', { body: archive ? uploadOf(wish, archive) : wish });
    return settle(installed, (piece) => {
      say(t('pieces.done', { name: piece.displayName, version: piece.version }));
      changed();
    });
  };
  return (
    <FormDialog
      title={t('pieces.install')}
      submit={t('pieceRequests.install')}
      onClose={close}
      perform={perform}
      disabled={
        pieceName.trim() === '' || (pieceVersion.trim() === '' ? archive !== undefined : !isExact(pieceVersion))
      }>
      {(problems) => (
        <>
          <TextField
            label={t('pieces.package')}
            help={
              packageName === pieceName.trim() ? t('pieces.packageHelp') : t('pieces.packageIs', { name: packageName })
            }
            value={pieceName}
            onValue={setPieceName}
            problem={problems['pieceName']}
            control={{
              name: 'pieceName',
              list: 'catalogue-pieces',
              placeholder: '@activepieces/piece-slack',
              spellcheck: false,
              autocapitalize: 'off',
            }}
          />
          <datalist id="catalogue-pieces">
            {catalogue.value
              ?.filter((each) => each.installed === false)
              .map((each) => (
                <option key={each.name} value={each.displayName} />
              ))}
          </datalist>
          <TextField
            label={t('pieces.version')}
            optional={archive === undefined}
            help={t('install.versionHelp')}
            value={pieceVersion}
            onValue={setPieceVersion}
            problem={problems['pieceVersion']}
            control={{ name: 'pieceVersion', placeholder: '0.17.9', spellcheck: false }}
          />
          <Field label={t('pieces.archive')} optional help={t('pieces.archiveHelp')} problem={problems['pieceArchive']}>
            {(wiring) => (
              <input
                class="input"
                {...wiring}
                type="file"
                accept=".tgz,application/gzip"
                onChange={(event) => setArchive(event.currentTarget.files?.[0])}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

function uploadOf(wish: Record<string, string>, archive: File): FormData {
  const form = new FormData();
  Object.entries(wish).forEach(([name, value]) => form.append(name, value));
  form.append('pieceArchive', archive);
  return form;
}
