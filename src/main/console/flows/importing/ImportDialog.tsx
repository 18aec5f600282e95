import { useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { Dialog } from '../../base/components/Dialog';
import { Checkbox, SelectField } from '../../base/components/Field';
import { FileDrop } from '../../base/components/FileDrop';
import { count, t } from '../../base/text';
import type { Folder } from '../model';
import { ImportReport } from './ImportReport';
import { importAll, type Outcome } from './perform';

interface Props {
  projectId: string;
  folderId: string;
  folders: Folder[];
  /** Files that were dropped on the page. */
  files?: File[];
  close: () => void;
  changed: () => void;
}

export function ImportDialog({ projectId, folderId, folders, files: dropped = [], close, changed }: Props) {
  const [files, setFiles] = useState<File[]>(dropped);
  const [folder, setFolder] = useState(folders.some((each) => each.id === folderId) ? folderId : '');
  const [isTrial, setIsTrial] = useState(false);
  const [progress, setProgress] = useState<{ done: number; all: number }>();
  const [outcome, setOutcome] = useState<{ value: Outcome; isTrial: boolean }>();
  const perform = async (event: Event): Promise<void> => {
    event.preventDefault();
    setProgress({ done: 0, all: 0 });
    const target = {
      projectId,
      folderId: folder,
      folder: folders.find((each) => each.id === folder)?.displayName ?? '',
      isTrial,
    };
    const value = await importAll(files, target, (done, all) => setProgress({ done, all }));
    setProgress(undefined);
    setOutcome({ value, isTrial });
    if (!isTrial) {
      changed();
    }
  };
  if (outcome) {
    return (
      <ImportReport
        outcome={outcome.value}
        isTrial={outcome.isTrial}
        projectId={projectId}
        close={close}
        again={() => setOutcome(undefined)}
      />
    );
  }
  return (
    <Dialog title={t('flows.import.title')} onClose={close} wide={560}>
      <form onSubmit={(event) => void perform(event)} noValidate>
        <div class="body">
          <p class="faint">{t('import.text')}</p>
          <FileDrop
            label={t('import.files')}
            accept=".json,application/json"
            multiple
            chosen={files.map((file) => file.name)}
            onFiles={setFiles}
            help={t('import.filesHelp')}
          />
          {folders.length > 0 ? (
            <SelectField
              label={t('import.folder')}
              value={folder}
              onValue={setFolder}
              empty={t('flows.noFolder')}
              options={folders.map((each) => ({ value: each.id, label: each.displayName }))}
            />
          ) : null}
          <Checkbox label={t('import.trial')} checked={isTrial} onChange={setIsTrial} />
          <p role="status" class="faint">
            {progress
              ? progress.all > 0
                ? count('import.progress', progress.all, { done: progress.done })
                : t('import.reading')
              : ''}
          </p>
        </div>
        <footer>
          <Button onClick={close}>{t('base.cancel')}</Button>
          <Button
            kind="primary"
            type="submit"
            icon="upload"
            busy={progress !== undefined}
            disabled={files.length === 0}>
            {t(isTrial ? 'import.check' : 'import.submit')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
