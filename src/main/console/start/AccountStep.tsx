import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { Button } from '../base/components/Button';
import { TextField } from '../base/components/Field';
import { Notice } from '../base/components/States';
import { navigate } from '../base/router';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { Gate } from './Gate';
import { Link } from './GateForm';
import { waysOf } from './ways';

export function AccountStep({ done }: { done: () => Promise<void> }) {
  const [person, setPerson] = useState({ firstName: '', lastName: '', email: '', password: '' });
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const change = (field: keyof typeof person) => (value: string) => setPerson({ ...person, [field]: value });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const answer = await api('POST /v1/authentication/sign-up', {
      body: { ...person, trackEvents: false, newsLetter: false },
    });
    if (answer.ok) {
      await done();
    } else {
      setFailure(answer.failure);
      setBusy(false);
    }
  };
  const codes = useStore(session, (now) => now.state === 'new' && waysOf(now.flags).codes);
  const problem = (field: string): string | undefined => failure?.fields[field];
  return (
    <Gate title={t('start.account.title')} text={t('start.account.text')} step={t('start.step', { n: 1 })}>
      <form class="column" onSubmit={submit}>
        <div class="two">
          <TextField
            label={t('start.firstName')}
            value={person.firstName}
            onValue={change('firstName')}
            problem={problem('firstName')}
            control={{ autocomplete: 'given-name', name: 'firstName', required: true, autofocus: true }}
          />
          <TextField
            label={t('start.lastName')}
            value={person.lastName}
            onValue={change('lastName')}
            problem={problem('lastName')}
            control={{ autocomplete: 'family-name', name: 'lastName', required: true }}
          />
        </div>
        <TextField
          label={t('signIn.email')}
          value={person.email}
          onValue={change('email')}
          problem={problem('email')}
          control={{ type: 'email', name: 'email', autocomplete: 'username', required: true }}
        />
        <TextField
          label={t('start.newPassword')}
          value={person.password}
          onValue={change('password')}
          help={t('start.passwordHelp')}
          problem={problem('password')}
          control={{
            type: 'password',
            name: 'password',
            autocomplete: 'new-password',
            minLength: 8,
            maxLength: 64,
            required: true,
          }}
        />
        {failure && Object.keys(failure.fields).length === 0 ? <Notice failure={failure} /> : null}
        <Button kind="primary" size="wide" type="submit" busy={busy}>
          {t('start.account.submit')}
        </Button>
      </form>
      {codes ? (
        <p class="gate-foot">
          <Link to={() => navigate('/sign-in')}>{t('signIn.to.ask')}</Link>
        </p>
      ) : null}
    </Gate>
  );
}
