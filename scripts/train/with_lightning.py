"""The training of ddp.py, with the loop and the distribution left to Lightning.

python scripts/train/with_lightning.py --devices 2           # Lightning starts the ranks itself
torchrun --standalone --nproc-per-node 2 scripts/train/with_lightning.py --devices 2
srun python scripts/train/with_lightning.py --devices 2      # Slurm, with --ntasks-per-node=2

--exact-validation takes the samplers back into our own hands, so that no image is validated twice.
"""

import argparse
import warnings

import lightning
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, DistributedSampler, Subset

import data
import models
import options


class Digits(lightning.LightningModule):
    """What stays ours: the network, its loss, what is counted, and the optimizer."""

    def __init__(self, args: argparse.Namespace, train_set: data.Images):
        super().__init__()
        self.args = args
        self.model = models.from_options(args, train_set)

    def on_fit_start(self):
        # The weights are equal on all ranks; dropout should not be.
        torch.manual_seed(self.args.seed + 1000 * self.global_rank)

    def on_train_epoch_start(self):
        self.trainer.datamodule.train_set.set_epoch(self.current_epoch)  # a new augmentation

    def training_step(self, batch, index):
        images, labels = batch
        loss = F.cross_entropy(self.model(images), labels)
        self.log("train_loss", loss, on_step=False, on_epoch=True, sync_dist=True, batch_size=len(labels))
        return loss

    def validation_step(self, batch, index):
        images, labels = batch
        scores = self.model(images)
        sums = {  # sums, so that the images can be counted
            "val_loss_sum": F.cross_entropy(scores, labels, reduction="sum"),
            "val_correct": (scores.argmax(dim=1) == labels).float().sum(),
            "val_images": float(len(labels)),
        }
        self.log_dict(sums, on_epoch=True, reduce_fx="sum", sync_dist=True, batch_size=1)

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), lr=self.args.lr, momentum=0.9)
        return [optimizer], [torch.optim.lr_scheduler.LambdaLR(optimizer, models.cosine(self.args.epochs))]


class Batches(lightning.LightningDataModule):
    """The data. Asked for after the ranks have been set up, so it may ask for its rank."""

    def __init__(self, args: argparse.Namespace, train_set: data.Images, val_set: data.Images, ranks: int):
        super().__init__()
        self.args, self.train_set, self.val_set = args, train_set, val_set
        self.ranks, self.rank_batch = ranks, args.batch_size // ranks

    def train_dataloader(self):
        if self.args.exact_validation:
            sampler = DistributedSampler(self.train_set, self.ranks, self.trainer.global_rank, seed=self.args.seed)
            return DataLoader(self.train_set, self.rank_batch, sampler=sampler)
        return DataLoader(self.train_set, self.rank_batch, shuffle=True)

    def val_dataloader(self):
        if self.args.exact_validation:
            share = range(self.trainer.global_rank, len(self.val_set), self.ranks)
            return DataLoader(Subset(self.val_set, share), self.rank_batch)
        return DataLoader(self.val_set, self.rank_batch)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--devices", type=options.at_least(1), default=1, metavar="N", help="ranks on each node (default: 1)")
    option("--nodes", type=options.at_least(1), default=1, metavar="N", help="nodes (default: 1)")
    option("--epochs", type=options.at_least(1), default=10, metavar="N", help="default: 10")
    option("--batch-size", type=options.at_least(1), default=64, metavar="N", help="images a step, total (default: 64)")
    option("--lr", type=options.positive, default=0.05, help="learning rate at the start (default: 0.05)")
    option("--seed", type=int, default=1, help="of weights and order of images (default: 1)")
    option("--exact-validation", action="store_true", help="validate each image once")
    option("--runs", default="runs/lightning", metavar="DIR", help="for checkpoints (default: runs/lightning)")
    data.add_options(parser)
    models.add_options(parser)
    return parser.parse_args()


def main() -> None:
    args = parse_arguments()
    warnings.filterwarnings("ignore", message=".*does not have many workers")  # digits need none
    lightning.seed_everything(args.seed, verbose=False)
    train_set, val_set = data.from_options(args)
    trainer = lightning.Trainer(
        devices=args.devices,
        num_nodes=args.nodes,
        strategy="ddp" if args.devices * args.nodes > 1 else "auto",
        max_epochs=args.epochs,
        default_root_dir=args.runs,
        use_distributed_sampler=not args.exact_validation,
        num_sanity_val_steps=0,
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    if args.batch_size % trainer.world_size:
        raise SystemExit(f"--batch-size {args.batch_size} is not a multiple of {trainer.world_size} processes")
    model = Digits(args, train_set)
    trainer.fit(model, Batches(args, train_set, val_set, trainer.world_size))
    if trainer.is_global_zero:
        found = {name: value.item() for name, value in trainer.callback_metrics.items()}
        images = found["val_images"]
        print(f"checkpoint: {trainer.checkpoint_callback.best_model_path}")
        print(
            f"result: val_accuracy={found['val_correct'] / images:.4f} val_loss={found['val_loss_sum'] / images:.4f} "
            f"train_loss={found['train_loss']:.4f} val_images={images:.0f} of {len(val_set)} epochs={args.epochs}"
        )


if __name__ == "__main__":
    main()
