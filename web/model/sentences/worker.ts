import { serve } from 'fovea/serve';
import { functions } from './job.ts';

serve({ functions });
