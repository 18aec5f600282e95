import { FormDialog } from '../base/components/Dialog';
import { count, t } from '../base/text';
import { cancel } from './actions';

interface Props {
  projectId: string;
  runIds: readonly string[];
  close: () => void;
  done: () => void;
}

export function CancelDialog({ projectId, runIds, close, done }: Props) {
  const perform = async () => {
    const refusal = await cancel(projectId, runIds);
    if (!refusal) {
      done();
    }
    return refusal;
  };
  return (
    <FormDialog
      danger
      title={count('runs.cancel.title', runIds.length)}
      submit={t('runs.cancel.run')}
      onClose={close}
      perform={perform}>
      {() => <p>{t('runs.cancel.text')}</p>}
    </FormDialog>
  );
}
