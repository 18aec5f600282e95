import { useState } from 'preact/hooks';
import { navigate } from '../base/router';
import { enter, session, usualProject } from '../base/session';
import { useStore } from '../base/store';
import { AccountStep } from './AccountStep';
import { DoneStep } from './DoneStep';
import { FlowStep } from './FlowStep';
import { ProjectStep } from './ProjectStep';
import type { Started } from './starters';

export default function WelcomePage() {
  const now = useStore(session);
  const [named, setNamed] = useState(false);
  const [started, setStarted] = useState<Started>();
  if (now.state !== 'in') {
    return (
      <AccountStep
        done={async () => {
          navigate('/welcome', 'replace');
          await enter();
        }}
      />
    );
  }
  const project = usualProject(now.projects);
  if (!project) {
    return null;
  }
  const home = (): void => navigate(`/projects/${project.id}/flows`);
  if (started) {
    return <DoneStep started={started} projectId={project.id} />;
  }
  return named ? (
    <FlowStep projectId={project.id} done={setStarted} skip={home} />
  ) : (
    <ProjectStep done={() => setNamed(true)} />
  );
}
