import { useState } from 'preact/hooks';
import { api, type Answer } from '../base/api/client';
import type { Failure, Result } from '../base/api/failure';
import { TextField } from '../base/components/Field';
import { Notice } from '../base/components/States';
import { t } from '../base/text';
import { GateForm, Link } from './GateForm';

type Session = Answer<'POST /v1/authentication/sign-in'>;

interface Props {
  email: string;
  onEmail: (email: string) => void;
  /** Called after a successful sign-in. */
  welcome: (session: Session) => Promise<void>;
  show: (view: View) => void;
  others: readonly View[];
}

export type View = 'ask' | 'code' | 'name' | 'password' | 'sign-up' | 'forgotten';

const ended = async (
  answer: Result<unknown>,
  welcome: (session: Session) => Promise<void>,
): Promise<Failure | undefined> => {
  if (!answer.ok) {
    return answer.failure;
  }
  await welcome(answer.value as Session);
  return undefined;
};

const Email = ({
  email,
  onEmail,
  problem,
}: {
  email: string;
  onEmail: (email: string) => void;
  problem: string | undefined;
}) => (
  <TextField
    label={t('signIn.email')}
    value={email}
    onValue={onEmail}
    problem={problem}
    control={{ type: 'email', name: 'email', autocomplete: 'username', placeholder: ' ', required: true }}
  />
);

const Others = ({ others, show }: Pick<Props, 'others' | 'show'>) => (
  <>
    {others.map((view) => (
      <Link key={view} view={view} to={() => show(view)}>
        {t(`signIn.to.${view as 'ask'}`)}
      </Link>
    ))}
  </>
);

const SentAgain = ({ answer }: { answer: Result<unknown> | undefined }) =>
  answer?.ok ? (
    <Notice tone="green">{t('signIn.sentAgain')}</Notice>
  ) : answer ? (
    <Notice failure={answer.failure} />
  ) : null;

export function PasswordForm({ email, onEmail, welcome, show, others }: Props) {
  const [password, setPassword] = useState('');
  const [isUnverified, setIsUnverified] = useState(false);
  const [again, setAgain] = useState<Result<unknown>>();
  return (
    <GateForm
      id="password"
      submit={t('signIn.submit')}
      fields={['email', 'password']}
      others={
        <>
          {isUnverified ? (
            <Link
              view="verification"
              to={() => api('POST /v1/otp', { body: { email, type: 'EMAIL_VERIFICATION' } }).then(setAgain)}>
              {t('signIn.requestLink')}
            </Link>
          ) : null}
          <Others others={others} show={show} />
        </>
      }
      perform={async () => {
        const session = await api('POST /v1/authentication/sign-in', { body: { email, password } });
        setIsUnverified(!session.ok && session.failure.code === 'EMAIL_IS_NOT_VERIFIED');
        return ended(session, welcome);
      }}>
      {(problems) => (
        <>
          <Email email={email} onEmail={onEmail} problem={problems['email']} />
          <TextField
            label={t('signIn.password')}
            value={password}
            onValue={setPassword}
            problem={problems['password']}
            control={{
              type: 'password',
              name: 'password',
              autocomplete: 'current-password',
              placeholder: ' ',
              required: true,
            }}
          />
          <SentAgain answer={again} />
        </>
      )}
    </GateForm>
  );
}

export function SignUpForm({ email, onEmail, welcome, show, others }: Props) {
  const [person, setPerson] = useState({ firstName: '', lastName: '', password: '' });
  const field = (
    key: keyof typeof person,
    label: string,
    problem: string | undefined,
    control: object,
    help?: string,
  ) => (
    <TextField
      label={label}
      value={person[key]}
      onValue={(value) => setPerson({ ...person, [key]: value })}
      problem={problem}
      help={help}
      control={{ name: key, placeholder: ' ', required: true, ...control }}
    />
  );
  return (
    <GateForm
      id="sign-up"
      submit={t('start.account.submit')}
      fields={['email', 'password', 'firstName', 'lastName']}
      others={<Others others={others} show={show} />}
      perform={async () =>
        ended(
          await api('POST /v1/authentication/sign-up', {
            body: { ...person, email, trackEvents: false, newsLetter: false },
          }),
          welcome,
        )
      }>
      {(problems) => (
        <>
          <div class="two">
            {field('firstName', t('start.firstName'), problems['firstName'], { autocomplete: 'given-name' })}
            {field('lastName', t('start.lastName'), problems['lastName'], { autocomplete: 'family-name' })}
          </div>
          <Email email={email} onEmail={onEmail} problem={problems['email']} />
          {field(
            'password',
            t('start.newPassword'),
            problems['password'],
            { type: 'password', autocomplete: 'new-password', minLength: 8, maxLength: 64 },
            t('start.passwordHelp'),
          )}
        </>
      )}
    </GateForm>
  );
}

export function AskForm({ email, onEmail, show, others }: Props) {
  return (
    <GateForm
      id="ask"
      submit={t('signIn.ask')}
      fields={['email']}
      others={<Others others={others} show={show} />}
      perform={async () => {
        const asked = await api('POST /v1/authentication/otp/request', { body: { email } });
        if (asked.ok) {
          show('code');
        }
        return asked.ok ? undefined : asked.failure;
      }}>
      {(problems) => <Email email={email} onEmail={onEmail} problem={problems['email']} />}
    </GateForm>
  );
}

export function CodeForm({ email, welcome, show }: Props) {
  const [code, setCode] = useState('');
  const [again, setAgain] = useState<Result<unknown>>();
  return (
    <GateForm
      id="code"
      submit={t('signIn.submit')}
      fields={['code']}
      perform={async () => ended(await api('POST /v1/authentication/otp/verify', { body: { email, code } }), welcome)}
      others={
        <>
          <Link to={() => api('POST /v1/authentication/otp/request', { body: { email } }).then(setAgain)}>
            {t('signIn.again')}
          </Link>
          <Link to={() => show('ask')}>{t('signIn.otherAddress')}</Link>
        </>
      }>
      {(problems) => (
        <>
          <TextField
            label={t('signIn.code')}
            value={code}
            onValue={setCode}
            problem={problems['code']}
            control={{
              name: 'code',
              inputMode: 'numeric',
              autocomplete: 'one-time-code',
              pattern: '[0-9]{6}',
              maxLength: 6,
              placeholder: ' ',
              required: true,
            }}
          />
          <SentAgain answer={again} />
        </>
      )}
    </GateForm>
  );
}

export function NameForm({ welcome }: Props) {
  const [fullName, setFullName] = useState('');
  return (
    <GateForm
      id="name"
      submit={t('start.project.submit')}
      fields={['fullName']}
      perform={async () =>
        ended(await api('POST /v1/authentication/complete-sign-up', { body: { fullName } }), welcome)
      }>
      {(problems) => (
        <TextField
          label={t('signIn.fullName')}
          value={fullName}
          onValue={setFullName}
          problem={problems['fullName']}
          control={{ name: 'fullName', autocomplete: 'name', maxLength: 200, placeholder: ' ', required: true }}
        />
      )}
    </GateForm>
  );
}

export function ForgottenForm({ email, onEmail, show, others }: Props) {
  const [sent, setSent] = useState(false);
  return sent ? (
    <>
      <Notice tone="green">{t('signIn.linkSent')}</Notice>
      <p class="gate-foot">
        <Others others={others} show={show} />
      </p>
    </>
  ) : (
    <GateForm
      id="forgotten"
      submit={t('signIn.sendLink')}
      fields={['email']}
      others={<Others others={others} show={show} />}
      perform={async () => {
        const asked = await api('POST /v1/otp', { body: { email, type: 'PASSWORD_RESET' } });
        setSent(asked.ok);
        return asked.ok ? undefined : asked.failure;
      }}>
      {(problems) => <Email email={email} onEmail={onEmail} problem={problems['email']} />}
    </GateForm>
  );
}
