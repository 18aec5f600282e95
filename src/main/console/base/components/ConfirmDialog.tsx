import type { ComponentChildren } from 'preact';
import { settle, type Result } from '../api/failure';
import { t } from '../text';
import { FormDialog } from './Dialog';
import { say } from './Toasts';

interface Props {
  title: string;
  /** What will be lost, or what will happen. */
  text: ComponentChildren;
  submit?: string;
  /** Not dangerous: nothing is lost. */
  harmless?: boolean;
  perform: () => Promise<Result<unknown>>;
  /** What is said when it is done. */
  done?: string;
  close: () => void;
  changed: () => void;
}

/** Asks once before something that cannot be taken back. */
export function ConfirmDialog({ title, text, submit = t('base.delete'), harmless = false, perform, done, close, changed }: Props) {
  return (
    <FormDialog danger={!harmless} title={title} submit={submit} onClose={close} perform={async () => settle(await perform(), () => {
      if (done) {
        say(done);
      }
      changed();
    })}>
      {() => <p>{text}</p>}
    </FormDialog>
  );
}
