import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { Button } from '../base/components/Button';
import { TextField } from '../base/components/Field';
import { Notice } from '../base/components/States';
import { prefix } from '../base/prefix';
import { enter } from '../base/session';
import { t } from '../base/text';
import { Gate } from './Gate';

/** Signing in, in place of whatever was asked for: the address stays, and is shown afterwards. */
export default function SignInPage() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [failure, refuse] = useState<Failure>();
  const [busy, work] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    work(true);
    const answer = await api('POST /v1/authentication/sign-in', { body: { email, password } });
    if (answer.ok) {
      await enter();
    }
    work(false);
    refuse(answer.ok ? undefined : answer.failure);
  };
  const others = `${prefix}/sign-in?from=${encodeURIComponent(location.pathname + location.search)}`;
  return (
    <Gate title={t('signIn.title')}>
      <form class="column" onSubmit={submit}>
        <TextField label={t('signIn.email')} value={email} onValue={setEmail} problem={failure?.fields['email']}
          control={{ type: 'email', name: 'email', autocomplete: 'username', required: true, autofocus: true }} />
        <TextField label={t('signIn.password')} value={password} onValue={setPassword} problem={failure?.fields['password']}
          control={{ type: 'password', name: 'password', autocomplete: 'current-password', required: true }} />
        {failure ? <Notice failure={failure} /> : null}
        <Button kind="primary" size="wide" type="submit" busy={busy}>{t('signIn.submit')}</Button>
      </form>
      <p class="gate-foot"><a href={others}>{t('signIn.otherWays')}</a></p>
    </Gate>
  );
}
