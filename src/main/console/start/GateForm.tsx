import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../base/api/failure';
import { Button } from '../base/components/Button';
import { Notice } from '../base/components/States';
import { wordsOf } from '../base/failureWords';
import { trackResult } from '../base/working';
import { problemsIn } from './validity';
import { problemsOf } from './ways';

interface Props {
  id: string;
  submit: string;
  /** Field names of the form: a problem of one of them is shown there. */
  fields: readonly string[];
  perform: () => Promise<Failure | undefined>;
  children: (problems: Record<string, string>) => ComponentChildren;
  others?: ComponentChildren;
}

/** A refusal is shown at its field, which gets the focus. */
export function GateForm({ id, submit, fields, perform, children, others }: Props) {
  const [failure, setFailure] = useState<Failure>();
  const [invalid, setInvalid] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const problems = { ...problemsOf(failure, fields, (each) => wordsOf(each).title), ...invalid };
  const onSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const found = form.current ? problemsIn(form.current) : {};
    setInvalid(found);
    setFailure(undefined);
    if (Object.keys(found).length > 0) {
      return;
    }
    setBusy(true);
    const refusal = await perform();
    setBusy(false);
    setFailure(refusal);
  };
  const focus = (selector: string): void => form.current?.querySelector<HTMLElement>(selector)?.focus();
  useLayoutEffect(() => focus('input:placeholder-shown, input'), []);
  useLayoutEffect(() => focus('[aria-invalid="true"]'), [failure, invalid]);
  return (
    <form class="column" id={id} ref={form} onSubmit={onSubmit} noValidate>
      {children(problems)}
      {failure && Object.keys(problems).length === 0 ? <Notice failure={failure} /> : null}
      <Button kind="primary" size="wide" type="submit" busy={busy}>
        {submit}
      </Button>
      {others ? <p class="gate-foot">{others}</p> : null}
    </form>
  );
}

export const Link = ({ to, view, children }: { to: () => unknown; view?: string; children: ComponentChildren }) => (
  <button type="button" class="link-button" data-show={view} onClick={() => trackResult(to())}>
    {children}
  </button>
);
