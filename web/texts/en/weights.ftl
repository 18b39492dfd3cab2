title = Where do the weights come from?
lede = Nobody writes a model’s weights by hand. They begin as random numbers, and each training step moves them a little so that the right answer becomes more likely. Play the training and watch attention form.
model = Task
