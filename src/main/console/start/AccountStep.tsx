import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { TextField } from '../base/components/Field';
import { navigate } from '../base/router';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { Gate } from './Gate';
import { GateForm, Link } from './GateForm';
import { waysOf } from './ways';

export function AccountStep({ done }: { done: () => Promise<void> }) {
  const [person, setPerson] = useState({ firstName: '', lastName: '', email: '', password: '' });
  const change = (field: keyof typeof person) => (value: string) => setPerson({ ...person, [field]: value });
  const codes = useStore(session, (now) => now.state === 'new' && waysOf(now.flags).codes);
  return (
    <Gate title={t('start.account.title')} text={t('start.account.text')} step={t('start.step', { n: 1 })}>
      <GateForm
        id="account"
        submit={t('start.account.submit')}
        fields={['firstName', 'lastName', 'email', 'password']}
        others={codes ? <Link to={() => navigate('/sign-in')}>{t('signIn.to.ask')}</Link> : undefined}
        perform={async () => {
          const answer = await api('POST /v1/authentication/sign-up', {
            body: { ...person, trackEvents: false, newsLetter: false },
          });
          if (!answer.ok) {
            return answer.failure;
          }
          await done();
          return undefined;
        }}>
        {(problems) => (
          <>
            <div class="two">
              <TextField
                label={t('start.firstName')}
                value={person.firstName}
                onValue={change('firstName')}
                problem={problems['firstName']}
                control={{ autocomplete: 'given-name', name: 'firstName', required: true, autofocus: true }}
              />
              <TextField
                label={t('start.lastName')}
                value={person.lastName}
                onValue={change('lastName')}
                problem={problems['lastName']}
                control={{ autocomplete: 'family-name', name: 'lastName', required: true }}
              />
            </div>
            <TextField
              label={t('signIn.email')}
              value={person.email}
              onValue={change('email')}
              problem={problems['email']}
              control={{ type: 'email', name: 'email', autocomplete: 'username', required: true }}
            />
            <TextField
              label={t('start.newPassword')}
              value={person.password}
              onValue={change('password')}
              help={t('start.passwordHelp')}
              problem={problems['password']}
              control={{
                type: 'password',
                name: 'password',
                autocomplete: 'new-password',
                minLength: 8,
                maxLength: 64,
                required: true,
              }}
            />
          </>
        )}
      </GateForm>
    </Gate>
  );
}
